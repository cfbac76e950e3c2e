import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Plugin } from 'vite';

type Shape = [tag: string, attributes: Record<string, string>];
const VIRTUAL = '\0icon:';
const DATA = /const iconData = (\{.*\});$/m;

/**
 * `@lucide/svelte/icons/…` exports the drawing as the `d` of one path instead of a component: theirs took a fifth of a
 * page's rendering and came with 2 kB of its own for the browser. `ui/Icon.svelte` draws it.
 */
export const icons = (): Plugin => ({
	name: 'craftwarden-icons',
	enforce: 'pre',
	config: () => ({ optimizeDeps: { exclude: ['@lucide/svelte'] } }),
	resolveId: {
		filter: { id: /\.svelte$/ },
		handler(source, importer) {
			if (!importer?.includes('/@lucide/svelte/dist/icons/')) return;
			// Without the ending, or the compiler of components would take it for one.
			return VIRTUAL + path.resolve(path.dirname(importer), source).replace(/\.svelte$/, '');
		}
	},
	load: {
		filter: { id: /^\0icon:/ },
		async handler(id) {
			const file = `${id.slice(VIRTUAL.length)}.svelte`;
			const data = DATA.exec(await readFile(file, 'utf8'))?.[1];
			if (!data) throw new Error(`${file} holds no drawing any more: @lucide/svelte has changed.`);
			const { node } = JSON.parse(data) as { node: Shape[] };
			return `export default ${JSON.stringify(node.map(outline).join(''))};`;
		}
	}
});

/** Any of lucide's shapes as path data. Their few fills are dots smaller than the stroke, which covers them. */
export function outline([tag, given]: Shape): string {
	const n = (name: string, otherwise = 0) => Number(given[name] ?? otherwise);
	const points = (list: string) =>
		`M${list
			.trim()
			.split(/[\s,]+/)
			.join(' ')}`;
	switch (tag) {
		case 'path':
			return fromAnywhere(given['d'] ?? '');
		case 'line':
			return `M${n('x1')} ${n('y1')}L${n('x2')} ${n('y2')}`;
		case 'polyline':
			return points(given['points'] ?? '');
		case 'polygon':
			return `${points(given['points'] ?? '')}z`;
		case 'circle':
		case 'ellipse': {
			const [rx, ry] = [n('rx', n('r')), n('ry', n('r'))];
			const half = (way: number) => `a${rx} ${ry} 0 0 1 ${way * 2 * rx} 0`;
			return `M${n('cx') - rx} ${n('cy')}${half(1)}${half(-1)}z`;
		}
		case 'rect':
			return rectangle(n('x'), n('y'), n('width'), n('height'), n('rx', n('ry')), n('ry', n('rx')));
		default:
			throw new Error(`No way to draw <${tag}>.`);
	}
}

function rectangle(x: number, y: number, width: number, height: number, rx: number, ry: number) {
	const [across, down] = [width - 2 * rx, height - 2 * ry];
	const corner = (dx: number, dy: number) => (rx ? `a${rx} ${ry} 0 0 1 ${dx} ${dy}` : '');
	return `M${x + rx} ${y}h${across}${corner(rx, ry)}v${down}${corner(-rx, ry)}h${-across}${corner(-rx, -ry)}v${-down}${corner(rx, -ry)}z`;
}

/** A path may begin with a relative move, which would count from the end of the shape before. */
const fromAnywhere = (d: string) =>
	d.replace(
		/^m\s*(-?\d*\.?\d+)[\s,]*(-?\d*\.?\d+)[\s,]*(?=(.?))/,
		(_, x, y, next) => `M${x} ${y}${/[\d.-]/.test(next) ? 'l' : ''}`
	);

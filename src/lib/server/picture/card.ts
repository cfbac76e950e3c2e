import { domainToASCII } from 'node:url';
import type { ServerState } from '#schemas/status';
import type { Font } from './font.ts';
import { drawable, fit, isDrawable, type Fitted } from './text.ts';

export const WIDTH = 1200;
export const HEIGHT = 630;

/** What the picture shows of the server, in words that anybody may have written: hostile until drawn. */
export type CardFacts = {
	name: string;
	state: ServerState;
	address: string;
	version: string | null;
	players: { online: number | null; max: number | null };
};

/** What `@vercel/og` takes for a React element. */
export type Element = {
	type: string;
	props: Record<string, unknown> & { style?: Record<string, string | number> };
};

const NAMELESS = 'Minecraft server';
const NOT_KNOWN = '–';

const COLOURS = {
	ground: '#0d1116',
	panel: '#151a21',
	line: '#262f3a',
	text: '#f3f6fa',
	muted: '#9aa8b8',
	amber: '#f2b441',
	up: '#56cf86',
	upTint: '#12291c',
	down: '#ff6b62',
	downTint: '#351817'
};
const WORDS: Record<ServerState, string> = {
	running: 'Running',
	starting: 'Starting',
	stopping: 'Stopping',
	stopped: 'Stopped',
	crashed: 'Crashed',
	unknown: 'No answer'
};

const EDGE = 72;
const NAME_WIDTH = 820;
const NAME_SIZES = [
	[112, 1],
	[84, 2],
	[62, 3]
] as const;
const ADDRESS_SIZES = [
	[40, 1],
	[34, 1],
	[28, 1],
	[24, 2],
	[20, 2]
] as const;
const VERSION_WIDTH = 230;
const VERSION_SIZES = [
	[40, 1],
	[30, 1],
	[24, 1]
] as const;
const TILE_PADDING = 36;
const TILE_BORDER = 2;

/** The picture of a server, in characters of `font` alone. Without facts it shows no state. */
export function card(facts: CardFacts | null, font: Font): Element {
	const name = facts ? (drawable(facts.name, font) ?? NAMELESS) : 'Craftwarden';
	const lit = facts === null || facts.state === 'running';
	const glow = `radial-gradient(circle at 1018px 196px, #55401a 0px, #33291a 150px, #191c20 360px, ${COLOURS.ground} 620px)`;
	return box(
		{
			width: WIDTH,
			height: HEIGHT,
			flexDirection: 'column',
			justifyContent: 'space-between',
			padding: `64px ${EDGE}px`,
			color: COLOURS.text,
			backgroundColor: COLOURS.ground,
			...(lit && { backgroundImage: glow }),
			fontFamily: 'Geist'
		},
		box({ position: 'absolute', top: 76, right: 62 }, lantern(240, lit)),
		facts ? state(facts) : box({ height: 64 }),
		box({ height: 218, alignItems: 'center' }, text(fit(name, font, NAME_WIDTH, NAME_SIZES))),
		facts ? tiles(facts, font) : box({ height: 148 }, motto())
	);
}

const motto = () => words(34, COLOURS.muted, 'Watches\u00a0over\u00a0a\u00a0Minecraft\u00a0server');

function state({ state: now }: CardFacts): Element {
	const up = now === 'running';
	const dot = { width: 24, height: 24, marginRight: 16, borderRadius: 12 };
	return box(
		{
			alignSelf: 'flex-start',
			alignItems: 'center',
			height: 64,
			padding: '0 28px 0 24px',
			borderRadius: 32,
			backgroundColor: up ? COLOURS.upTint : COLOURS.downTint
		},
		box({ ...dot, backgroundColor: up ? COLOURS.up : COLOURS.down }),
		words(32, up ? COLOURS.up : COLOURS.down, WORDS[now])
	);
}

function tiles({ players, address, version }: CardFacts, font: Font): Element {
	const { online, max } = players;
	const counted = online === null ? NOT_KNOWN : number(online);
	const count = max === null ? counted : `${counted} / ${number(max)}`;
	const game = version === null ? null : drawable(version, font);
	const narrow = [
		{ label: 'Players', fitted: fit(count, font, Infinity, [[40, 1]]) },
		...(game ? [{ label: 'Version', fitted: fit(game, font, VERSION_WIDTH, VERSION_SIZES) }] : [])
	].map((one) => ({ ...one, width: tileWidth(one.label, one.fitted, font) }));
	const wide =
		WIDTH - 2 * EDGE - 2 * TILE_BORDER - narrow.reduce((sum, { width }) => sum + width, 0);
	const where = addressLine(address, font);
	const inner = wide - 2 * TILE_PADDING - 2 * TILE_BORDER;
	const [first, ...rest] = narrow.map(({ label, fitted, width }) => tile(label, fitted, width));
	return box(
		{
			height: 148,
			alignItems: 'center',
			border: `${TILE_BORDER}px solid ${COLOURS.line}`,
			borderRadius: 20,
			backgroundColor: COLOURS.panel
		},
		first!,
		where
			? tile('Address', fit(where, font, inner, ADDRESS_SIZES), wide, rest.length)
			: box({ width: wide }),
		...rest
	);
}

/** Kerning, which the widths leave out, makes lines shorter, hardly ever longer. */
const tileWidth = (label: string, { fontSize, lines }: Fitted, font: Font) =>
	Math.ceil(Math.max(24 * font.width(label), fontSize * font.width(lines[0]!))) +
	2 * TILE_PADDING +
	4;

/** `after`: how many tiles follow the one in the middle; null for those at its sides. */
function tile(label: string, fitted: Fitted, width: number, after: number | null = null) {
	const line = `${TILE_BORDER}px solid ${COLOURS.line}`;
	return box(
		{
			flexDirection: 'column',
			width,
			padding: `0 ${TILE_PADDING}px`,
			...(after !== null && { borderLeft: line }),
			...(after && { borderRight: line })
		},
		words(24, COLOURS.muted, label),
		box({ height: 60, alignItems: 'center' }, text(fitted))
	);
}

const text = ({ fontSize, lines }: Fitted) =>
	box(
		{ flexDirection: 'column', fontSize, lineHeight: 1.14 },
		// The library leaves gaps of varying width between words.
		...lines.map((line) => box({ whiteSpace: 'pre' }, line.replaceAll(' ', '\u00a0')))
	);

/** A name in another script, in the form that any client understands; left out when even that cannot be drawn. */
function addressLine(address: string, font: Font): string | null {
	if (isDrawable(address, font)) return address;
	const [, host = '', port = ''] = /^(.*?)(:\d{1,5})?$/su.exec(address) ?? [];
	const ascii = domainToASCII(host) && domainToASCII(host) + port;
	return isDrawable(ascii, font) ? ascii : null;
}

function number(value: number): string {
	// Most are small, and the first formatter of a process takes 10 ms.
	if (value < 1000) return String(value);
	return new Intl.NumberFormat('en', value >= 100_000 ? { notation: 'compact' } : {}).format(value);
}

const words = (fontSize: number, color: string, text: string) => box({ fontSize, color }, text);

const box = (
	style: Record<string, string | number>,
	...children: (Element | string)[]
): Element => ({
	type: 'div',
	props: {
		style: { display: 'flex', ...style },
		children: children.length === 1 ? children[0] : children
	}
});

const shape = (type: string, props: Record<string, unknown>): Element => ({ type, props });

/** The mark of static/logo.svg without its block; it burns while the server is running. */
function lantern(size: number, lit: boolean): Element {
	const [frame, edge, glass, flame] = lit
		? [COLOURS.amber, '#b97a12', '#ffdf9e', '#fff6e0']
		: ['#4a5666', '#2f3946', '#1c232c', '#28313c'];
	const path = (d: string, fill: string) => shape('path', { d, fill });
	const ring = { cx: 32, cy: 10, r: 4.5, fill: 'none', stroke: frame, 'stroke-width': 3 };
	const children = [
		shape('circle', ring),
		path('M25 15h14l10 9v5H15v-5z', frame),
		path('M19 29h26v20H19z', glass),
		path('M28 36h8v13h-8z', flame),
		path('M19 29h4v20h-4zM41 29h4v20h-4zM30.5 29h3v7h-3z', edge),
		path('M15 49h34v7H15z', frame)
	];
	return shape('svg', { width: size, height: size, viewBox: '4 4 56 56', children });
}

import { codeFiles, importGraph } from './graph.ts';
import { cycles, heavySchemas, loadedBy, whyNot, type Places } from './rules.ts';

/** Every broken wall of the project in `root`, as `FILE imports FILE: why not`. */
export function faults(root: string): string[] {
	const edges = importGraph(root);
	const places: Places = {
		...foldersIn(codeFiles(root)),
		heavy: heavySchemas(edges),
		loaded: loadedBy(edges)
	};
	const forbidden = edges.flatMap((edge) => {
		const why = whyNot(edge, places);
		return why === null ? [] : [`${edge.from} imports ${edge.to}: ${why}`];
	});
	const circles = cycles(edges).map(
		({ edge, path }) => `${edge.from} imports ${edge.to}: a cycle, ${path.join(' → ')}`
	);
	return [...new Set([...forbidden, ...circles])];
}

const foldersIn = (files: string[]) => ({
	doors: foldersOf(files, /^src\/lib\/.+\/(?=index\.ts$)/),
	pages: foldersOf(files, /^src\/routes\/(?:.+\/)?(?=\+)/)
});

const foldersOf = (files: string[], pattern: RegExp) =>
	new Set(files.flatMap((file) => file.match(pattern)?.[0] ?? []));

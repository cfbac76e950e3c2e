/** From mods as a diagnosis names them (ids or jar names) to the titles that people know. */
export type ModTitles = Record<string, string>;

type Installed = { modId: string | null; fileName: string; name: string };

/** Of those that are installed. */
export const titlesOf = (named: string[], installed: Installed[]): ModTitles =>
	Object.fromEntries(
		named.flatMap((id) => {
			const mod = installed.find(({ modId, fileName }) => modId === id || fileName === id);
			return mod ? [[id, mod.name]] : [];
		})
	);

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/**
 * Says the titles of mods where the text has their ids; `Title (id)` and `'Title' (id)`, as loaders write them, become the
 * title. What has titles stays the same.
 */
export function withTitles(text: string, titles: ModTitles): string {
	return Object.entries(titles).reduce((said, [id, title]) => {
		const alone = `(?<![\\w.+-])${escaped(id)}(?![\\w+-]|\\.\\w)`;
		const known = `(?:${escaped(id)}|${escaped(title)})`;
		const named = `(?:'${escaped(title)}'|${escaped(title)}) \\(${known}\\)|${escaped(title)}`;
		return said.replace(new RegExp(`${named}|${alone}`, 'g'), () => title);
	}, text);
}

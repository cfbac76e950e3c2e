/** From mods as a diagnosis names them (ids or jar names) to the titles that people know. */
export type ModTitles = Record<string, string>;

type Installed = { modId: string | null; fileName: string; name: string };

/** Also by the name that its file had before it was disabled. */
export const isNamed = (id: string, { modId, fileName }: Pick<Installed, 'modId' | 'fileName'>) =>
	modId === id || fileName === id || fileName === `${id}.disabled`;

/** Of those that are installed. */
export const titlesOf = (named: string[], installed: Installed[]): ModTitles =>
	Object.fromEntries(
		named.flatMap((id) => {
			const mod = installed.find((one) => isNamed(id, one));
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

/** From mods as a diagnosis names them (ids or jar names) to the titles that people know. */
export type ModTitles = Record<string, string>;

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Says the titles of mods where the text has their ids; `Title (id)` becomes the title. */
export function withTitles(text: string, titles: ModTitles): string {
	return Object.entries(titles).reduce((said, [id, title]) => {
		const alone = new RegExp(`(?<![\\w.+-])${escaped(id)}(?![\\w+-]|\\.\\w)`, 'g');
		return said.replaceAll(`${title} (${id})`, title).replace(alone, () => title);
	}, text);
}

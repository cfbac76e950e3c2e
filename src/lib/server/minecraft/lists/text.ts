/** An element of the array: its position in the text, and its value. */
export type Element = { start: number; end: number; value: unknown };
/** `raw` has one character per byte, so that untouched parts come out as they went in. */
export type ListText = { raw: string; elements: Element[] };

const BYTE_ORDER_MARK = '\u00ef\u00bb\u00bf';
const EMPTY = '[]';

/** Parses a JSON file that holds an array; zero bytes count as an empty one. Null when it is anything else. */
export function parseListText(bytes: Uint8Array): ListText | null {
	const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
	const raw = text.startsWith(BYTE_ORDER_MARK) ? text.slice(BYTE_ORDER_MARK.length) : text;
	if (raw === '') return { raw: EMPTY, elements: [] };
	const values = parse(Buffer.from(raw, 'latin1').toString('utf8'));
	if (!values) return null;
	const elements = places(raw).map((place, index) => ({ ...place, value: values[index] }));
	return { raw, elements };
}

function parse(json: string): unknown[] | null {
	try {
		const values: unknown = JSON.parse(json);
		return Array.isArray(values) ? values : null;
	} catch {
		return null;
	}
}

/** Where the elements of a valid array stand. JSON's own characters are ASCII, and no byte of a longer sequence is. */
function places(raw: string): { start: number; end: number }[] {
	const found: { start: number; end: number }[] = [];
	let depth = 0;
	let start = -1;
	let end = -1;
	for (let i = 0; i < raw.length; i++) {
		const char = raw[i]!;
		if (' \t\r\n'.includes(char)) continue;
		if (depth === 1 && start >= 0 && (char === ',' || char === ']')) {
			found.push({ start, end });
			start = -1;
		}
		if (char === ']' || char === '}') depth--;
		else if (depth === 1 && start < 0 && char !== ',') start = i;
		if (char === '[' || char === '{') depth++;
		if (char === '"') i = endOfString(raw, i);
		end = i + 1;
	}
	return found;
}

function endOfString(raw: string, from: number) {
	let i = from + 1;
	while (raw[i] !== '"') i += raw[i] === '\\' ? 2 : 1;
	return i;
}

/** The file without some elements and with one appended, in the layout that it has. */
export function editListText(
	{ raw, elements }: ListText,
	keep: (value: unknown) => boolean,
	added: unknown = undefined
): Buffer {
	const [first, second] = elements;
	const open = raw.indexOf('[') + 1;
	const lead = first ? raw.slice(open, first.start) : '\n  ';
	const texts = elements.filter(({ value }) => keep(value)).map((e) => raw.slice(e.start, e.end));
	if (added !== undefined) texts.push(layOut(added, lead));
	const between = first && second ? raw.slice(first.end, second.start) : `,${lead}`;
	const tail = first ? raw.slice(elements.at(-1)!.end) : `\n${raw.slice(raw.lastIndexOf(']'))}`;
	const body = texts.length ? lead + texts.join(between) + tail : tail.trimStart();
	return Buffer.from(raw.slice(0, open) + body, 'latin1');
}

/** On several lines when the others are. */
function layOut(value: unknown, lead: string) {
	const [, lineBreak, indent = ''] = /(\r?\n)([ \t]*)$/.exec(lead) ?? [];
	const json = lineBreak
		? JSON.stringify(value, null, indent || 2).replaceAll('\n', lineBreak + indent)
		: JSON.stringify(value);
	return Buffer.from(json, 'utf8').toString('latin1');
}

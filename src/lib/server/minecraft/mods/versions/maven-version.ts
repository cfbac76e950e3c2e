/** Versions as Maven orders them (`ComparableVersion`), which Forge and NeoForge use. */
type Item = number | Word | Item[];
type Word = { word: string };

const QUALIFIERS = ['alpha', 'beta', 'milestone', 'rc', 'snapshot', '', 'sp'];
const RELEASE = QUALIFIERS.indexOf('');
const ALIASES: Record<string, string> = { ga: '', final: '', release: '', cr: 'rc' };
/** Directly before a number. */
const SHORT: Record<string, string> = { a: 'alpha', b: 'beta', m: 'milestone' };

export const compareMaven = (a: string, b: string): number => compare(parse(a), parse(b));

/** Numbers and words; `-`, and each change between digits and letters, begins a list within the list. */
function parse(version: string): Item[] {
	const root: Item[] = [];
	const lists = [root];
	let list = root;
	const deeper = () => {
		const next: Item[] = [];
		list.push(next);
		lists.push((list = next));
	};
	// Each piece with what ends it: a dot, a dash, or a change between digits and others.
	for (const match of version
		.toLowerCase()
		.matchAll(/(\d+|[^\d.-]+|)([.-]|(?=(\d))|$|(?=[^.-]))/g)) {
		const [whole, piece = '', end = '', digit] = match;
		if (whole === '' && piece === '') continue;
		if (piece === '') list.push(0);
		else if (/^\d/.test(piece)) list.push(Number(piece));
		else list.push(wordOf(piece, end === '' && digit !== undefined));
		const last = match.index + whole.length >= version.length;
		if (end === '-' || (end === '' && !last)) deeper();
	}
	for (const each of lists.reverse()) trim(each);
	return root;
}

function wordOf(piece: string, beforeNumber: boolean): Word {
	const word = beforeNumber && Object.hasOwn(SHORT, piece) ? SHORT[piece]! : piece;
	return { word: Object.hasOwn(ALIASES, word) ? ALIASES[word]! : word };
}

/** Trailing zeros and words for a release mean nothing, also before a list. */
function trim(list: Item[]) {
	for (let i = list.length - 1; i >= 0; i--) {
		if (isNothing(list[i]!)) list.splice(i, 1);
		else if (!Array.isArray(list[i])) return;
	}
}

const isNothing = (item: Item) =>
	typeof item === 'number'
		? item === 0
		: Array.isArray(item)
			? item.length === 0
			: item.word === '';

/** By kind: a number is later than a list, and a list later than a word. */
const RANKS = (item: Item) => (typeof item === 'number' ? 2 : Array.isArray(item) ? 1 : 0);

function compare(a: Item | undefined, b: Item | undefined): number {
	if (a === undefined) return b === undefined ? 0 : -compareToNothing(b);
	if (b === undefined) return compareToNothing(a);
	if (RANKS(a) !== RANKS(b)) return RANKS(a) - RANKS(b);
	if (typeof a === 'number') return a - (b as number);
	if (!Array.isArray(a)) return compareWords(a.word, (b as Word).word);
	const other = b as Item[];
	for (let i = 0; i < Math.max(a.length, other.length); i++) {
		const order = compare(a[i], other[i]);
		if (order !== 0) return order;
	}
	return 0;
}

function compareToNothing(item: Item): number {
	if (typeof item === 'number') return item === 0 ? 0 : 1;
	if (!Array.isArray(item)) return compareWords(item.word, '');
	for (const each of item) {
		const order = compareToNothing(each);
		if (order !== 0) return order;
	}
	return 0;
}

/** Known ones by their rank, then all others alphabetically. */
function compareWords(a: string, b: string): number {
	const [left, right] = [rank(a), rank(b)];
	if (left !== right) return left - right;
	return left < QUALIFIERS.length || a === b ? 0 : a < b ? -1 : 1;
}

const rank = (word: string) => {
	const known = QUALIFIERS.indexOf(word);
	return known < 0 ? Math.max(QUALIFIERS.length, RELEASE) : known;
};

import { lexer, type Token, type Tokens } from 'marked';

/**
 * Markdown written by strangers, as a small tree that a component renders: no HTML, no pictures (they become links, so
 * that no browser tells a third party who is reading), only http and https addresses.
 */
export type Inline =
	| { type: 'text'; text: string }
	| { type: 'code'; text: string }
	| { type: 'strong' | 'em' | 'del'; children: Inline[] }
	| { type: 'link'; href: string; children: Inline[] }
	| { type: 'br' };
export type Block =
	| { type: 'paragraph'; children: Inline[] }
	| { type: 'heading'; children: Inline[] }
	| { type: 'list'; ordered: boolean; items: Block[][] }
	| { type: 'quote'; children: Block[] }
	| { type: 'code'; text: string }
	| { type: 'table'; head: Inline[][]; rows: Inline[][][] }
	| { type: 'rule' };

const SOURCE_MAX = 60_000;
const NODES_MAX = 3000;
const DEPTH_MAX = 8;

type Budget = { nodes: number };

/** What is too long or too deep is truncated; what cannot be parsed at all stays plain text. */
export function parseMarkdown(source: string | null | undefined): Block[] {
	const text = (source ?? '').slice(0, SOURCE_MAX).replaceAll('\r\n', '\n');
	const budget = { nodes: NODES_MAX };
	try {
		return blocks(lexer(text, { gfm: true }), budget, 0);
	} catch {
		return text.trim() ? [{ type: 'paragraph', children: [{ type: 'text', text }] }] : [];
	}
}

function blocks(tokens: Token[], budget: Budget, depth: number): Block[] {
	if (depth > DEPTH_MAX) return [];
	return tokens.flatMap((token) => (--budget.nodes < 0 ? [] : block(token, budget, depth)));
}

function block(token: Token, budget: Budget, depth: number): Block[] {
	const inside = (tokens: Token[] | undefined) => inlines(tokens ?? [], budget, depth + 1);
	switch (token.type) {
		case 'heading':
			return [{ type: 'heading', children: inside(token.tokens) }];
		case 'paragraph':
		case 'text':
			return filled(token.tokens ? inside(token.tokens) : [plain(token.raw)]);
		case 'list': {
			const { ordered, items } = token as Tokens.List;
			return [
				{
					type: 'list',
					ordered,
					items: items.map((item) => blocks(item.tokens, budget, depth + 1))
				}
			];
		}
		case 'blockquote':
			return [{ type: 'quote', children: blocks(token.tokens ?? [], budget, depth + 1) }];
		case 'code':
			return [{ type: 'code', text: (token as Tokens.Code).text }];
		case 'table': {
			const { header, rows } = token as Tokens.Table;
			const cells = (row: Tokens.TableCell[]) => row.map((cell) => inside(cell.tokens));
			return [{ type: 'table', head: cells(header), rows: rows.map(cells) }];
		}
		case 'hr':
			return [{ type: 'rule' }];
		case 'html':
			return filled([plain(withoutTags(token.raw))]);
		default:
			return [];
	}
}

function inlines(tokens: Token[], budget: Budget, depth: number): Inline[] {
	if (depth > DEPTH_MAX * 2) return [];
	return tokens.flatMap((token) => (--budget.nodes < 0 ? [] : inline(token, budget, depth)));
}

function inline(token: Token, budget: Budget, depth: number): Inline[] {
	const inside = () => inlines(('tokens' in token && token.tokens) || [], budget, depth + 1);
	switch (token.type) {
		case 'strong':
		case 'em':
		case 'del':
			return [{ type: token.type, children: inside() }];
		case 'codespan':
			return [{ type: 'code', text: (token as Tokens.Codespan).text }];
		case 'link': {
			const href = safeAddress((token as Tokens.Link).href);
			return href ? [{ type: 'link', href, children: inside() }] : inside();
		}
		case 'image': {
			const { href, text } = token as Tokens.Image;
			const safe = safeAddress(href);
			const words: Inline = { type: 'text', text: text.trim() || 'Picture' };
			return safe ? [{ type: 'link', href: safe, children: [words] }] : [words];
		}
		case 'br':
			return [{ type: 'br' }];
		case 'html':
			return /^<br\s*\/?>/i.test(token.raw) ? [{ type: 'br' }] : [];
		case 'text':
			return 'tokens' in token && token.tokens
				? inside()
				: [plain(entities((token as Tokens.Text).text))];
		default:
			return [plain('text' in token ? String(token.text) : token.raw)];
	}
}

const plain = (text: string): Inline => ({ type: 'text', text });
const filled = (children: Inline[]): Block[] =>
	children.some((child) => child.type !== 'text' || child.text.trim())
		? [{ type: 'paragraph', children }]
		: [];

const withoutTags = (html: string) =>
	entities(html.replace(/<(?:!--[^]*?-->|[^>]{0,2000}>)/g, ' ')).replace(/\s+/g, ' ');

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ' };
const entities = (text: string) =>
	text.replace(/&(?:(amp|lt|gt|quot|nbsp)|#39);/g, (_, name?: string) =>
		name ? (ENTITIES[name] ?? '') : "'"
	);

function safeAddress(href: string): string | null {
	const url = URL.parse(href);
	return url && (url.protocol === 'https:' || url.protocol === 'http:') ? url.href : null;
}

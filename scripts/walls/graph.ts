import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

/** One import as it is written; `to` is a file of the project, or the bare name of a package or builtin. */
export type Edge = {
	from: string;
	to: string;
	/** `to` is a file of the project. */
	inside: boolean;
	found: boolean;
	/** Nothing of it is there at run time. */
	typeOnly: boolean;
};

const ROOTS = ['src', 'scripts', 'tests'];
const CODE = /\.(?:[cm]?[jt]s|svelte)$/;
const SKIPPED = new Set(['node_modules', '.svelte-kit', 'build']);
/** Types that kit makes beside each route. */
const GENERATED = /^\.\/\$types(?:\.js)?$/;
/** What an import may leave out, in the order in which it is tried. */
const ENDINGS = ['', '.ts', '.js', '.svelte.ts', '.svelte.js', '.svelte', '/index.ts', '/index.js'];

/** All code files below the project's folders, with `/` between their parts, sorted. */
export const codeFiles = (root: string): string[] =>
	ROOTS.flatMap((dir) => filesBelow(root, dir))
		.filter((file) => CODE.test(file) && !file.endsWith('.d.ts'))
		.sort();

function filesBelow(root: string, dir: string): string[] {
	if (!existsSync(path.join(root, dir))) return [];
	return readdirSync(path.join(root, dir), { withFileTypes: true }).flatMap((entry) => {
		const file = `${dir}/${entry.name}`;
		if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : filesBelow(root, file);
		return [file];
	});
}

/** Every import of every file: static, type-only, re-exported, dynamic, in markup, `import('…')` types and `require`. */
export function importGraph(root: string): Edge[] {
	const aliases = aliasesOf(root);
	return codeFiles(root).flatMap((from) => {
		const text = readFileSync(path.join(root, from), 'utf8');
		const all = from.endsWith('.svelte') ? inSvelte(text) : inScript(text);
		return all
			.filter(({ specifier }) => !GENERATED.test(specifier))
			.map((one) => edge(root, aliases, from, one));
	});
}

type Alias = { prefix: string; suffix: string; exact: boolean; target: string };

/** `imports` of package.json, and kit's `$lib`; exact names before patterns, long prefixes before short ones. */
function aliasesOf(root: string): Alias[] {
	const { imports = {} } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
		imports?: Record<string, string>;
	};
	const entries = [...Object.entries(imports), ['$lib', './src/lib'], ['$lib/*', './src/lib/*']];
	return entries
		.map(([name = '', target = '']) => {
			const [prefix = '', suffix = ''] = name.split('*');
			return { prefix, suffix, exact: !name.includes('*'), target: target.replace(/^\.\//, '') };
		})
		.sort((a, b) => Number(b.exact) - Number(a.exact) || b.prefix.length - a.prefix.length);
}

function edge(
	root: string,
	aliases: Alias[],
	from: string,
	{ specifier, typeOnly }: Written
): Edge {
	const wanted = wantedFile(aliases, from, specifier);
	if (wanted === null) return { from, to: specifier, inside: false, found: true, typeOnly };
	const to = resolved(root, wanted);
	return { from, to: to ?? wanted, inside: true, found: to !== null, typeOnly };
}

/** The file that a specifier asks for; null for a package, a builtin or one of kit's own modules. */
function wantedFile(aliases: Alias[], from: string, specifier: string): string | null {
	if (/^\.{1,2}(\/|$)/.test(specifier))
		return path.posix.join(path.posix.dirname(from), specifier).replace(/[?#].*$/, '');
	if (/^\/?(?:src|scripts|tests)\//.test(specifier)) return specifier.replace(/^\//, '');
	for (const { prefix, suffix, exact, target } of aliases) {
		if (exact ? specifier === prefix : specifier.startsWith(prefix) && specifier.endsWith(suffix)) {
			const star = specifier.slice(prefix.length, specifier.length - suffix.length);
			return path.posix.normalize(target.replaceAll('*', exact ? '' : star));
		}
	}
	return specifier.startsWith('#') ? specifier : null;
}

function resolved(root: string, wanted: string): string | null {
	const names = ENDINGS.map((ending) => wanted + ending);
	names.push(wanted.replace(/\.js$/, '.ts'));
	return names.find((name) => isFile(path.join(root, name))) ?? null;
}

const isFile = (name: string) => existsSync(name) && statSync(name).isFile();

type Written = { specifier: string; typeOnly: boolean };

function inScript(text: string): Written[] {
	const found: Written[] = [];
	const visit = (node: ts.Node) => {
		const written = specifierOf(node);
		if (written) found.push(written);
		ts.forEachChild(node, visit);
	};
	visit(ts.createSourceFile('script.ts', text, ts.ScriptTarget.Latest, false));
	return found;
}

/** What a node fetches, when it is an import of some kind. */
function specifierOf(node: ts.Node): Written | null {
	if (ts.isImportDeclaration(node))
		return written(node.moduleSpecifier, isTypeOnly(node.importClause));
	if (ts.isExportDeclaration(node) && node.moduleSpecifier)
		return written(node.moduleSpecifier, node.isTypeOnly);
	if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
		return written(node.argument.literal, true);
	if (ts.isImportEqualsDeclaration(node) && ts.isExternalModuleReference(node.moduleReference))
		return written(node.moduleReference.expression, node.isTypeOnly);
	if (ts.isCallExpression(node) && fetches(node.expression)) return written(node.arguments[0]);
	return null;
}

/** `import('…')` and `require('…')`. */
const fetches = (callee: ts.Expression) =>
	callee.kind === ts.SyntaxKind.ImportKeyword ||
	(ts.isIdentifier(callee) && callee.text === 'require');

const written = (literal: ts.Node | undefined, typeOnly = false): Written | null =>
	literal && ts.isStringLiteralLike(literal) ? { specifier: literal.text, typeOnly } : null;

function isTypeOnly(clause: ts.ImportClause | undefined): boolean {
	if (!clause) return false;
	if (clause.isTypeOnly) return true;
	const names = clause.namedBindings;
	if (clause.name || !names || !ts.isNamedImports(names)) return false;
	return names.elements.length > 0 && names.elements.every((name) => name.isTypeOnly);
}

/** A component's scripts, and what its markup fetches with `import()`. */
function inSvelte(text: string): Written[] {
	const scripts = [...text.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/g)];
	const markup = text.replace(/<script[^>]*>[\s\S]*?<\/script>|<!--[\s\S]*?-->/g, '');
	const dynamic = [...markup.matchAll(/\bimport\(\s*(['"`])(.+?)\1\s*\)/g)];
	return [
		...scripts.flatMap(([, body = '']) => inScript(body)),
		...dynamic.map(([, , specifier = '']) => ({ specifier, typeOnly: false }))
	];
}

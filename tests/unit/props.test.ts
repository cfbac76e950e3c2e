import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';

const SOURCE = fileURLToPath(new URL('../../src', import.meta.url));

/** Returns what a component's `Props` name and what it takes from `$props()`, or null when it takes them whole. */
function propsOf(component: string) {
	const script = /<script lang="ts"[^>]*>/.exec(component);
	if (!script) return null;
	const from = script.index + script[0].length;
	const code = component.slice(from, component.indexOf('</script>', from));
	const named = new Set<string>();
	let taken: Set<string> | null = null;
	const members = (type: ts.TypeNode): void => {
		if (ts.isIntersectionTypeNode(type)) type.types.forEach(members);
		if (ts.isTypeLiteralNode(type))
			for (const { name } of type.members) if (name && ts.isIdentifier(name)) named.add(name.text);
	};
	const isProps = (node: ts.Expression | undefined) =>
		node && ts.isCallExpression(node) && node.expression.getText(file) === '$props';
	const file = ts.createSourceFile('x.ts', code, ts.ScriptTarget.Latest, true);
	for (const statement of file.statements) {
		if (ts.isTypeAliasDeclaration(statement) && statement.name.text === 'Props')
			members(statement.type);
		if (!ts.isVariableStatement(statement)) continue;
		for (const { name, type, initializer } of statement.declarationList.declarations) {
			if (!isProps(initializer)) continue;
			if (type) members(type);
			if (!ts.isObjectBindingPattern(name)) continue;
			if (name.elements.some((one) => one.dotDotDotToken)) continue;
			taken = new Set(name.elements.map((one) => (one.propertyName ?? one.name).getText(file)));
		}
	}
	return taken && { named, taken };
}

test('no component declares a property that it does not use', async () => {
	const unused: string[] = [];
	let looked = 0;
	for (const name of await readdir(SOURCE, { recursive: true })) {
		if (!name.endsWith('.svelte')) continue;
		const props = propsOf(await readFile(path.join(SOURCE, name), 'utf8'));
		if (!props) continue;
		looked += props.named.size;
		for (const prop of props.named) if (!props.taken.has(prop)) unused.push(`${name}: ${prop}`);
	}
	expect(unused).toEqual([]);
	expect(looked).toBeGreaterThan(100);
});

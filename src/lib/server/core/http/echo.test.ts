import { expect, test } from 'vitest';
import { z } from 'zod';
import { api, type Page } from '#api';
import { echo, fieldsOf } from './echo.ts';

const text = z.string();

test('only fields named in the schema are shown again, and no secret', () => {
	const schema = z.object({ name: text, constructor: text, password: text, apiToken: text });
	const sent = JSON.parse(
		'{"__proto__":"a","toString":"b","more":"c","name":"d","password":"e","apiToken":"f"}'
	);
	expect(echo(schema, sent)).toEqual({ name: 'd' });
	expect(echo(schema, { name: ['sent', 'twice'] })).toEqual({ name: 'sent\ntwice' });
});

test('fields are found behind refinements, transforms and nested unions', () => {
	const changed = z
		.object({ b: text })
		.refine(() => true)
		.transform(() => 1);
	expect(fieldsOf(z.object({ a: text }).and(changed))).toEqual(['a', 'b']);
});

test('every form of the dashboard declares its fields', () => {
	for (const [key, entry] of Object.entries<{ kind: string }>(api)) {
		const { actions = {} } = entry.kind === 'page' ? (entry as Page) : {};
		for (const action of Object.values(actions))
			if (action.kind === 'action') expect(() => fieldsOf(action.body), key).not.toThrow();
	}
});

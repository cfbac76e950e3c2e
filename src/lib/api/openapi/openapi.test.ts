import { expect, test } from 'vitest';
import { api, createOpenApi } from '../index.ts';

type Media = Record<string, { schema: { required?: string[]; properties?: object } }>;
type Described = {
	requestBody?: { content: Media };
	responses: Record<string, { content?: Media }>;
};
const paths = createOpenApi({ version: '1.2.3', installation: '0123abcd' }, api).paths as Record<
	string,
	Record<string, Described>
>;
const answers = ({ responses }: Described) =>
	Object.fromEntries(
		Object.entries(responses).map(([status, { content }]) => [status, Object.keys(content ?? {})])
	);

test('an endpoint with several answers documents each of them', () => {
	expect(answers(paths['/api/mods']!['patch']!)).toEqual({
		200: ['application/json'],
		202: ['application/json'],
		default: ['application/problem+json']
	});
	expect(answers(paths['/api/backups/{id}']!['get']!)).toEqual({
		200: ['application/zstd'],
		206: ['application/zstd'],
		default: ['application/problem+json']
	});
});

test('what only starts something is 202, what has nothing to say is 204', () => {
	expect(answers(paths['/api/backups/{id}/verify']!['post']!)).toHaveProperty('202');
	expect(answers(paths['/api/backups/{id}']!['delete']!)).toEqual({
		204: [],
		default: ['application/problem+json']
	});
});

test('a file is sent as a form', () => {
	const { requestBody } = paths['/api/mods/upload']!['post']!;
	expect(Object.keys(requestBody!.content)).toEqual(['multipart/form-data']);
	expect(requestBody!.content['multipart/form-data']!.schema.required).toEqual(['jar']);
});

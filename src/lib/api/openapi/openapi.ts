import { z } from 'zod';
import { Problem } from '#schemas/common';
import type { AnswerBody, Endpoint } from '../define.ts';

/** The OpenAPI 3.1 document of all endpoints for programs, generated from the table that also checks the requests. */
export function createOpenApi(
	{ version, installation }: { version: string; installation: string },
	api: Record<string, Endpoint | { kind: 'page' }>
) {
	const paths: Record<string, Record<string, unknown>> = {};
	for (const [key, entry] of Object.entries(api)) {
		const [method = '', route = ''] = key.split(' ');
		if (entry.kind === 'page') continue;
		const path = route.replace(/\[(\w+)\]/g, '{$1}');
		paths[path] = { ...paths[path], [method.toLowerCase()]: describe(entry, route) };
	}
	return {
		openapi: '3.1.0',
		info: { title: 'Craftwarden', version },
		paths,
		components: {
			schemas: { Problem: schemaOf(Problem, 'output') },
			securitySchemes: {
				session: { type: 'apiKey', in: 'cookie', name: `craftwarden_session_${installation}` }
			}
		}
	};
}

function describe({ summary, role, query, body, file, fields, answers }: Endpoint, route: string) {
	return {
		summary,
		'x-access': role,
		security: role === 'public' ? [] : [{ session: [] }],
		parameters: [...pathParameters(route), ...queryParameters(query)],
		...((body || file) && {
			requestBody: {
				content: { ...(body && contentOf(body, 'input')), ...(file && formOf(file, fields)) },
				...(!body && { required: true })
			}
		}),
		responses: {
			...Object.fromEntries(
				Object.entries(answers).map(([status, answer]) => [status, done(answer)])
			),
			default: {
				description: 'Refused or failed',
				content: {
					'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } }
				}
			}
		}
	};
}

const done = (answer: AnswerBody) => ({
	description: 'Done',
	...(answer !== null && { content: contentOf(answer, 'output') })
});

const contentOf = (what: z.ZodType | string, io: 'input' | 'output') =>
	typeof what === 'string'
		? { [what]: { schema: { type: 'string' } } }
		: { 'application/json': { schema: schemaOf(what, io) } };

function formOf(file: string, fields: z.ZodType | undefined) {
	const { properties = {}, required = [] } = fields ? schemaOf(fields, 'input') : {};
	const bytes = { type: 'string', contentMediaType: 'application/octet-stream' };
	return {
		'multipart/form-data': {
			schema: {
				type: 'object',
				properties: { ...properties, [file]: bytes },
				required: [...required, file]
			}
		}
	};
}

const pathParameters = (route: string) =>
	[...route.matchAll(/\[(\w+)\]/g)].map(([, name]) => ({
		name,
		in: 'path',
		required: true,
		schema: { type: 'string' }
	}));

function queryParameters(query: z.ZodType | undefined) {
	if (!query) return [];
	const { properties = {}, required = [] } = schemaOf(query, 'input');
	return Object.entries(properties).map(([name, schema]) => ({
		name,
		in: 'query',
		required: required.includes(name),
		schema
	}));
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output') {
	const { $schema, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
	void $schema; // the document names its dialect once
	return rest;
}

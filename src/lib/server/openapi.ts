import { z } from 'zod';
import { API, type ApiEntry } from '#schemas/api';
import { Problem } from '#schemas/common';

/** Who may call; the access table's words. */
type AccessOf = (routeId: string, method: string) => string;

/** The OpenAPI 3.1 document of all JSON endpoints, made from the schemas that also check the requests. */
export function createOpenApi(version: string, accessOf: AccessOf) {
	const paths: Record<string, Record<string, unknown>> = {};
	for (const [routeId, methods] of Object.entries(API)) {
		const path = routeId.replace(/\[(\w+)\]/g, '{$1}');
		paths[path] = Object.fromEntries(
			Object.entries(methods).map(([method, entry]) => [
				method.toLowerCase(),
				describe(entry, routeId, accessOf(routeId, method))
			])
		);
	}
	return {
		openapi: '3.1.0',
		info: { title: 'Craftwarden', version },
		paths,
		components: {
			schemas: { Problem: schemaOf(Problem, 'output') },
			securitySchemes: {
				session: { type: 'apiKey', in: 'cookie', name: 'craftwarden_session' }
			}
		}
	};
}

function describe(entry: ApiEntry, routeId: string, access: string) {
	return {
		summary: entry.summary,
		'x-access': access,
		security: access === 'public' ? [] : [{ session: [] }],
		parameters: [...pathParameters(routeId), ...queryParameters(entry.query)],
		...(entry.body && { requestBody: { content: contentOf(entry.body, 'input') } }),
		...(entry.file && { requestBody: { content: formOf(entry.file), required: true } }),
		responses: {
			[entry.status ?? (entry.answer === null ? 204 : 200)]: done(entry.answer),
			...Object.fromEntries(
				Object.entries(entry.others ?? {}).map(([status, answer]) => [status, done(answer)])
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

const done = (answer: ApiEntry['answer']) => ({
	description: 'Done',
	...(answer !== null && { content: contentOf(answer, 'output') })
});

const contentOf = (what: z.ZodType | string, io: 'input' | 'output') =>
	typeof what === 'string'
		? { [what]: { schema: { type: 'string' } } }
		: { 'application/json': { schema: schemaOf(what, io) } };

const formOf = (file: string) => ({
	'multipart/form-data': {
		schema: {
			type: 'object',
			properties: { [file]: { type: 'string', contentMediaType: 'application/octet-stream' } },
			required: [file]
		}
	}
});

const pathParameters = (routeId: string) =>
	[...routeId.matchAll(/\[(\w+)\]/g)].map(([, name]) => ({
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

import { z } from 'zod';

const SECRET = /password|secret|token/i;

/**
 * What a form shows again after a mistake: the fields of its schema, those sent more than once with a line for each
 * value; never a secret.
 */
export const echo = (
	schema: z.ZodType,
	sent: Record<string, string | string[]>
): Record<string, string> =>
	Object.fromEntries(
		fieldsOf(schema).flatMap((name) => {
			const value = Object.hasOwn(sent, name) ? sent[name] : undefined;
			return value !== undefined && !SECRET.test(name) ? [[name, [value].flat().join('\n')]] : [];
		})
	);

/** The fields that a form's schema names. Throws for kinds of schema that no form uses. */
export function fieldsOf(schema: z.core.$ZodType): string[] {
	if (schema instanceof z.ZodObject) return Object.keys(schema.shape);
	if (schema instanceof z.ZodPipe)
		return fieldsOf(schema.in instanceof z.ZodTransform ? schema.out : schema.in);
	if (schema instanceof z.ZodIntersection)
		return [schema.def.left, schema.def.right].flatMap(fieldsOf);
	throw new Error('Say here which fields this kind of schema has.');
}

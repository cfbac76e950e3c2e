import { z } from 'zod';

const SECRET = /password|secret|token/i;

/** What a form shows again after a mistake: of the fields that its schema names, those that were sent once; never a secret. */
export const echo = (
	schema: z.ZodType,
	sent: Record<string, string | string[]>
): Record<string, string> =>
	Object.fromEntries(
		fieldsOf(schema).flatMap((name) => {
			const value = Object.hasOwn(sent, name) ? sent[name] : undefined;
			return typeof value === 'string' && !SECRET.test(name) ? [[name, value]] : [];
		})
	);

/** The fields that a form's schema names. Throws for a kind of schema that no form has had so far. */
export function fieldsOf(schema: z.core.$ZodType): string[] {
	if (schema instanceof z.ZodObject) return Object.keys(schema.shape);
	if (schema instanceof z.ZodPipe)
		return fieldsOf(schema.in instanceof z.ZodTransform ? schema.out : schema.in);
	if (schema instanceof z.ZodIntersection)
		return [schema.def.left, schema.def.right].flatMap(fieldsOf);
	throw new Error('Say here which fields this kind of schema has.');
}

/** A part of the program that is built when it is first needed: most requests do not need it. */
export type Lazy<T> = {
	(): Promise<T>;
	/** Null when nobody has asked for it yet. */
	built(): Promise<T> | null;
};

/** Built once, however many callers wait; after a failure the next caller tries again. */
export function lazy<T>(build: () => Promise<T>): Lazy<T> {
	let part: Promise<T> | null = null;
	const get = () => {
		if (part) return part;
		const mine = build();
		part = mine;
		mine.catch(() => part === mine && (part = null)); // reported to whoever asked for it
		return mine;
	};
	return Object.assign(get, { built: () => part });
}

/** Those methods of a service that return a promise: their callers cannot tell when it was built. */
export type Methods<T> = {
	[K in keyof T as T[K] extends (...input: never[]) => Promise<unknown> ? K : never]: T[K];
};

type AnyMethod = (...input: unknown[]) => Promise<unknown>;

/** A service before it is built: the first call of a method builds it, unless the method is one of those in `own`. */
export const lazyMethods = <T extends object, Own extends object = object>(
	part: () => Promise<T>,
	own: Own = {} as Own
): Methods<T> & Own =>
	new Proxy(own as Methods<T> & Own, {
		get: (_, name) =>
			// A service is not a promise, though it answers to every name.
			name === 'then' || name in own
				? own[name as keyof Own]
				: async (...input: unknown[]) =>
						((await part()) as Record<PropertyKey, AnyMethod>)[name]!(...input)
	});

import { expect, test } from 'vitest';
import { lazy, lazyMethods } from './lazy.ts';

test('a part is built once, at its first use, and again only if building it failed', async () => {
	let built = 0;
	const part = lazy(async () => {
		if (++built === 1) throw new Error('not now');
		return { double: async (n: number) => n * 2, name: () => 'part' };
	});
	const methods = lazyMethods(part);
	expect(part.built()).toBeNull();
	await expect(methods.double(2)).rejects.toThrow('not now');
	expect(part.built()).toBeNull();
	expect(await Promise.all([methods.double(2), methods.double(3)])).toEqual([4, 6]);
	expect(built).toBe(2);
	expect((await part.built())?.name()).toBe('part');
});

test('a service that is not built yet can be passed on as a promise', async () => {
	const methods = lazyMethods(async () => ({ answer: async () => 42 }), { name: () => 'part' });
	const handed = await Promise.resolve(methods);
	expect(handed.name()).toBe('part');
	expect(await handed.answer()).toBe(42);
});

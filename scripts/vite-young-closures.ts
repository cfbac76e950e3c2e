import type { Plugin } from 'vite';

const ASSIGNED = /(event\.[\w.]+ = )(\(\) => \{\s*throw [^}]*\});/g;

/**
 * V8 takes a function that is written where a property is set for a method of something lasting, and makes it old at
 * once. Kit sets two such at the end of each request, and all that they see, which is the request, stays until the next
 * full collection (docs/decisions/020-young-closures.md). Written in a list first, they are as short-lived as the rest.
 */
export const youngClosures = (): Plugin => ({
	name: 'craftwarden-young-closures',
	apply: 'build',
	transform: {
		filter: { id: /@sveltejs\/kit\/src\/runtime\/server\/respond\.js$/ },
		handler(code) {
			const young = inList(code);
			if (young === code)
				this.error('Kit sets no such functions any more: remove scripts/vite-young-closures.ts.');
			return { code: young, map: null };
		}
	}
});

export const inList = (code: string) => code.replace(ASSIGNED, '$1[$2][0];');

import { expect, test } from 'vitest';
import { setupRegistry } from '../../../../../../tests/fakes/mods/registry-setup.ts';
import type { RegistryFile } from '#registry';
import { createWithdrawn } from './withdrawn.ts';

test('a file is withdrawn with its version, and with its whole project', async () => {
	const { fake, registry } = await setupRegistry();
	const files: RegistryFile[] = [];
	for (const [slug, status, version] of [
		['fine', 'approved', 'listed'],
		['old', 'archived', 'archived'],
		['hidden', 'withheld', 'listed'],
		['recalled', 'approved', 'draft']
	] as const) {
		fake.addProject({ slug, status });
		const { files: stored } = fake.addVersion(slug, { number: '1', status: version });
		const { url, size, sha1, sha512 } = stored[0]!;
		files.push({ url, size, sha1, sha512, fileName: slug });
	}
	const names = async () =>
		(await createWithdrawn(registry)(files)).map(({ fileName }) => fileName);
	expect(await names()).toEqual(['hidden', 'recalled']);
	// None of this is remembered from a moment ago.
	fake.store.projects.splice(0, 1);
	expect(await names()).toEqual(['fine', 'hidden', 'recalled']);
});

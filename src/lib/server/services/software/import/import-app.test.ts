import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { zip } from '../../../../../../tests/fakes/mods/jars.ts';
import { fabricJar } from '../../../../../../tests/fakes/mods/mod-jars.ts';
import { ADA, setup } from '../../../../../../tests/fakes/software-app.ts';

/** A server is watched for 30 s after its start. */
vi.setConfig({ testTimeout: 300_000 });

test('a server pack that is uploaded becomes a server that runs, with a loader laid out anew', async () => {
	const { app, port, over, names, text, root, audited } = await setup();
	const own = fabricJar('own');
	const pack = zip({
		'Pack/startserver.sh': 'NEOFORGE_VERSION=21.1.209\njava -Xmx3G @libraries/x/unix_args.txt',
		'Pack/libraries/net/neoforged/neoforge/21.1.209/unix_args.txt': 'evil.Main',
		'Pack/mods/own.jar': own,
		'Pack/server.properties': 'motd=Hi\nonline-mode=false\n',
		'Pack/ops.json': '[]'
	});
	const bytes = (async function* () {
		yield pack;
	})();
	const fields = { do: 'import', port, memoryMb: 512, acceptEula: true } as const;
	const plan = await app.software.planUpload({ name: 'Pack.zip', bytes }, async () => fields);
	expect(plan.steps).toContain('Run the installer of NeoForge in an empty folder.');
	const operation = await over((await app.software.apply({ planId: plan.id }, ADA)).id);
	expect(operation).toMatchObject({ kind: 'import', state: 'succeeded', cause: null });
	expect(await names()).toEqual(
		expect.arrayContaining([
			'eula.txt',
			'libraries',
			'mods',
			'run.sh',
			'user_jvm_args.txt',
			'world'
		])
	);
	expect((await names()).filter((name) => name.startsWith('.'))).toEqual([]);
	expect(await text('libraries/net/neoforged/neoforge/21.1.209/unix_args.txt')).not.toMatch('evil');
	expect(await text('server.properties')).toMatch(/^motd=Hi$/m);
	expect(await text('server.properties')).toMatch(/^online-mode=true$/m);
	expect(await text('user_jvm_args.txt')).toMatch(/^-Xmx512M$/m);
	const record = JSON.parse(await readFile(path.join(root, 'data/imported-pack.json'), 'utf8'));
	expect(record.data.pack).toMatchObject({
		...{ title: 'Pack', operationId: operation.id },
		origin: { from: 'upload', fileName: 'Pack.zip' },
		files: [
			{ path: 'mods/own.jar', sha512: createHash('sha512').update(own).digest('hex') },
			{ path: 'server.properties' }
		]
	});
	expect(await readdir(path.join(root, 'data/imports'))).toEqual([]);
	expect((await audited()).map(({ action }) => action)).toEqual(
		expect.arrayContaining(['setup.eula', 'software.import'])
	);
});

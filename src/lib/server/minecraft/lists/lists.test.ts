import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
	chmod,
	chown,
	link,
	lstat,
	mkdir,
	mkdtemp,
	readdir,
	readFile,
	rm,
	stat,
	symlink,
	truncate,
	utimes,
	writeFile
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { run } from '#core/exec';
import { systemClock, type Clock } from '#core/clock';
import { parseJavaDate } from './java-date.ts';
import { readLastSeen, editServerProperties, readServerProperties } from '#minecraft/folder';
import { createPlayerLists, offlineUuid } from './lists.ts';

const ADA = '5744db97-0924-4ba0-a373-b904d3cd35fb';
const BOB = 'f41cbad2-80f6-46d4-ad12-5ab517069fe8';
const asRoot = process.geteuid?.() === 0;
const NOBODY = 65534;

async function folder(files: Record<string, string> = {}) {
	const dir = await mkdtemp(path.join(tmpdir(), 'lists-'));
	onTestFinished(() => rm(dir, { recursive: true, force: true }));
	for (const [name, text] of Object.entries(files)) await writeFile(path.join(dir, name), text);
	return dir;
}
async function setup(files: Record<string, string> = {}, clock: Clock = systemClock) {
	const dir = await folder(files);
	const file = (name: string) => path.join(dir, name);
	const text = (name: string) => readFile(file(name), 'utf8');
	return { dir, file, text, lists: createPlayerLists({ dir, clock }) };
}
const json = (value: unknown) => JSON.stringify(value, null, 2);

test('missing files are empty lists, and not an error', async () => {
	const { lists } = await setup();
	expect(await lists.read()).toEqual({ ops: [], whitelist: [], bans: [], cache: [], problems: [] });
});

test('all four files are read, with the dates in the game’s form', async () => {
	const { lists } = await setup({
		'ops.json': json([{ uuid: ADA, name: 'Ada', level: 3, bypassesPlayerLimit: true }]),
		'whitelist.json': json([{ uuid: BOB.toUpperCase(), name: 'Bob' }]),
		'banned-players.json': json([
			{
				uuid: ADA,
				name: 'Ada',
				created: '2025-06-15 17:29:07 +0300',
				expires: 'forever',
				reason: null
			},
			{
				uuid: BOB,
				name: 'Bob',
				created: 'long ago',
				expires: '2999-01-01 00:00:00 -0500',
				source: '§4Rcon\u0007',
				reason: '§cSpam\u202e'
			}
		]),
		'usercache.json': `[{"name":"Ada","uuid":"${ADA}","expiresOn":"2025-07-15 17:29:07 +0300"}]`
	});
	const { problems, ...files } = await lists.read();
	expect(problems).toEqual([]);
	expect(files.ops).toEqual([{ uuid: ADA, name: 'Ada', level: 3 }]);
	expect(files.whitelist).toEqual([{ uuid: BOB, name: 'Bob' }]);
	expect(files.bans).toEqual([
		{
			uuid: ADA,
			name: 'Ada',
			reason: null,
			source: null,
			createdAt: '2025-06-15T14:29:07.000Z',
			expiresAt: null
		},
		{
			uuid: BOB,
			name: 'Bob',
			reason: 'Spam',
			source: 'Rcon',
			createdAt: null,
			expiresAt: '2999-01-01T05:00:00.000Z'
		}
	]);
	expect(files.cache).toEqual([{ uuid: ADA, name: 'Ada', expiresAt: '2025-07-15T14:29:07.000Z' }]);
});

test.each(['forever', '2025-06-15', '2025-13-45 99:99:99 +0000', null, 7, '2025-06-15T17:29:07Z'])(
	'%j is not a date of the game',
	(text) => expect(parseJavaDate(text)).toBeNull()
);

test('elements that the game ignores are ignored, and so is the earlier of two with one id', async () => {
	const { lists } = await setup({
		'ops.json': json([
			null,
			7,
			'x',
			[],
			{},
			{ name: 'NoId', level: 4 },
			{ uuid: ADA, level: 4 },
			{ uuid: ADA.replaceAll('-', ''), name: 'Undashed' },
			{ uuid: '../../etc/passwd', name: 'Path' },
			{ uuid: ADA, name: 'Ada', level: 1 },
			{ uuid: BOB, name: 'Bob', level: 'x' },
			{ uuid: ADA, name: 'Ada', level: 1e308 }
		]),
		'banned-players.json': json([{ uuid: ADA, name: 'Ada', expires: '2001-01-01 00:00:00 +0000' }])
	});
	const { ops, bans, problems } = await lists.read();
	expect(ops).toEqual([
		{ uuid: ADA, name: 'Ada', level: 1 },
		{ uuid: BOB, name: 'Bob', level: 0 }
	]);
	expect(bans).toEqual([]);
	expect(problems).toEqual([]);
});

test('a name with format codes or control characters is never mistaken for another one', async () => {
	const names = ['§4Ada', 'Ada\u200b', 'A\u0000da', '<img src=x>', 'x'.repeat(500), ''];
	const ids = names.map((_, i) => `00000000-0000-4000-8000-00000000000${i}`);
	const cache = names.map((name, i) => ({ name, uuid: ids[i] }));
	const { lists } = await setup({ 'usercache.json': JSON.stringify(cache) });
	const shown = (await lists.read()).cache.map(({ name }) => name);
	expect(shown).toEqual([
		'\ufffd4Ada',
		'Ada\ufffd',
		'A\ufffdda',
		'<img src=x>',
		'x'.repeat(48),
		ids[5]
	]);
});

test('a half-written file is read again until it is complete', async () => {
	const { lists, file } = await setup({ 'ops.json': '' });
	const whole = json([{ uuid: ADA, name: 'Ada', level: 4 }]);
	await writeFile(file('ops.json'), whole.slice(0, 30));
	const reading = lists.read();
	setTimeout(() => void writeFile(file('ops.json'), whole), 60);
	expect(await reading).toMatchObject({ ops: [{ name: 'Ada' }], problems: [] });
});

test.each([
	['empty', ''],
	['half written', '[{"uuid":'],
	['full of NULs', '\0'.repeat(64)],
	['no list', '{"uuid":1}']
])('of a file that stays %s the last good content is shown, with a notice', async (_, text) => {
	const { lists, file } = await setup({ 'ops.json': json([{ uuid: ADA, name: 'Ada', level: 4 }]) });
	await lists.read();
	await writeFile(file('ops.json'), text);
	const { ops, problems } = await lists.read();
	expect(ops).toMatchObject([{ name: 'Ada' }]);
	expect(problems).toEqual([expect.stringMatching(/^ops\.json .*read before that\.$/)]);
	await writeFile(file('ops.json'), '[]');
	expect(await lists.read()).toMatchObject({ ops: [], problems: [] });
});

test('an empty file that was never good is an empty list, with a note on how the game treats it', async () => {
	const { lists } = await setup({ 'whitelist.json': '' });
	const { whitelist, problems } = await lists.read();
	expect(whitelist).toEqual([]);
	expect(problems).toEqual([expect.stringContaining('whitelist.json is empty')]);
});

test('links, folders, FIFOs and huge files are neither read nor waited for', async () => {
	const { lists, file } = await setup({ secret: json([{ uuid: ADA, name: 'Ada' }]) });
	await symlink(file('secret'), file('ops.json'));
	await mkdir(file('whitelist.json'));
	await run('mkfifo', [file('banned-players.json')], { timeoutMs: 5000 });
	await writeFile(file('usercache.json'), '[');
	await truncate(file('usercache.json'), 3e6);
	const { problems, ...files } = await lists.read();
	expect(files).toEqual({ ops: [], whitelist: [], bans: [], cache: [] });
	expect(problems).toHaveLength(4);
});

test('dangling links and link loops do not count as missing files', async () => {
	const { lists, file } = await setup();
	await symlink(file('nothing'), file('ops.json'));
	await symlink('whitelist.json', file('whitelist.json'));
	expect((await lists.read()).problems).toHaveLength(2);
});

test('ids of offline players match the game’s', () => {
	// Of real servers' files.
	expect(offlineUuid('Abradee')).toBe('8e558e2e-6326-3488-aabe-7a309cad934d');
	expect(offlineUuid('miwi')).toBe('c706c22d-7a4a-3b42-ad14-c934e67b14d0');
	expect(offlineUuid('PlayerEO')).not.toBe(offlineUuid('playereo'));
});

const cached = (name: string, uuid: string, expiresOn = '2025-01-01 00:00:00 +0000') => ({
	name,
	uuid,
	expiresOn
});
const V3 = offlineUuid('Ada');
const RULES = { onlineMode: true, bedrockPrefix: '.' };

test.each([
	[
		'the latest use counts',
		[cached('Ada', ADA), cached('Ada', BOB, '2025-02-01 00:00:00 +0000')],
		BOB
	],
	['a date counts more than none', [cached('Ada', ADA, ''), cached('Ada', BOB)], BOB],
	['letters in another case are the same name', [cached('aDA', ADA)], ADA],
	[
		'the exact name goes first',
		[cached('ADA', ADA, '2026-01-01 00:00:00 +0000'), cached('Ada', BOB)],
		BOB
	],
	[
		'a time zone does not mislead',
		[
			cached('Ada', ADA, '2025-01-01 23:00:00 +1400'),
			cached('Ada', BOB, '2025-01-01 12:00:00 +0000')
		],
		BOB
	],
	[
		'an id of the time without accounts does not count',
		[cached('Ada', V3, '2099-01-01 00:00:00 +0000'), cached('Ada', ADA)],
		ADA
	],
	['nobody is made up', [cached('Ada', V3)], null],
	['nor found in a stranger', [cached('Adam', ADA)], null]
])('on a server with accounts, %s', async (_, cache, expected) => {
	const { lists } = await setup({ 'usercache.json': JSON.stringify(cache) });
	expect(lists.profileOf(await lists.read(), 'Ada', RULES)?.uuid ?? null).toBe(expected);
});

test('the lists know a name that the cache has forgotten', async () => {
	const { lists } = await setup({
		'usercache.json': 'damaged',
		'whitelist.json': json([{ uuid: ADA, name: 'Ada' }]),
		'ops.json': json([{ uuid: BOB, name: 'Bob', level: 4 }])
	});
	const files = await lists.read();
	expect(lists.profileOf(files, 'Ada', RULES)?.uuid).toBe(ADA);
	expect(lists.profileOf(files, 'Bob', RULES)?.uuid).toBe(BOB);
});

test('an offline-mode server generates ids, but not those of Bedrock players', async () => {
	const { lists } = await setup({ 'usercache.json': JSON.stringify([cached('.Zoe', BOB)]) });
	const files = await lists.read();
	const rules = { ...RULES, onlineMode: false };
	expect(lists.profileOf(files, 'Ada', rules)).toEqual({ name: 'Ada', uuid: V3 });
	expect(lists.profileOf(files, '.Zoe', rules)?.uuid).toBe(BOB);
	expect(lists.profileOf(files, '.Ada', rules)).toBeNull();
});

test('an edit keeps unknown fields, order, layout and mode, and leaves no temp file', async () => {
	const before = json([
		{ uuid: ADA, name: 'Ada', level: 2, bypassesPlayerLimit: true, note: 'founder' },
		{ uuid: 'not an id', name: 'Junk' }
	]);
	const { lists, dir, file, text } = await setup({ 'ops.json': before });
	await chmod(file('ops.json'), 0o640);
	const op = { uuid: BOB, name: 'Bob', level: 4 };
	expect(await lists.change('ops', () => ({ add: op }))).toBe(true);
	const added = { ...op, bypassesPlayerLimit: false };
	expect(await text('ops.json')).toBe(json([...(JSON.parse(before) as unknown[]), added]));
	expect((await stat(file('ops.json'))).mode & 0o777).toBe(0o640);

	expect(await lists.change('ops', () => ({ remove: [BOB] }))).toBe(true);
	expect(await text('ops.json')).toBe(before);
	expect(await readdir(dir)).toEqual(['ops.json']);
});

test('a no-op is not written', async () => {
	const { lists, dir, file } = await setup({ 'ops.json': ' [ ] ' });
	const { ino, mtimeMs } = await stat(file('ops.json'));
	expect(await lists.change('ops', () => null)).toBe(false);
	expect(await stat(file('ops.json'))).toMatchObject({ ino, mtimeMs });
	expect(await lists.change('whitelist', () => null)).toBe(false);
	expect(await readdir(dir)).toEqual(['ops.json']);
});

test('a ban is written as the game writes it, replacing an expired one', async () => {
	const { lists, text } = await setup({
		'banned-players.json': json([{ uuid: ADA, name: 'Ada', expires: '2001-01-01 00:00:00 +0000' }])
	});
	const at = new Date('2026-01-02T03:04:05.678Z');
	await lists.change('bans', (entries) => {
		expect(entries).toEqual([]);
		return { add: { uuid: ADA, name: 'Ada', reason: null, source: 'Test', at } };
	});
	expect(JSON.parse(await text('banned-players.json'))).toEqual([
		{
			uuid: ADA,
			name: 'Ada',
			created: '2026-01-02 03:04:05 +0000',
			source: 'Test',
			expires: 'forever',
			reason: 'Banned by an operator.'
		}
	]);
});

test('both of two elements with one id are removed', async () => {
	const two = json([
		{ uuid: ADA, name: 'Ada' },
		{ uuid: ADA.toUpperCase(), name: 'ada' },
		{ uuid: BOB, name: 'Bob' }
	]);
	const { lists, text } = await setup({ 'whitelist.json': two });
	await lists.change('whitelist', () => ({ remove: [ADA] }));
	expect(JSON.parse(await text('whitelist.json'))).toEqual([{ uuid: BOB, name: 'Bob' }]);
});

test('an empty or missing file gets its first element', async () => {
	const { lists, text, file } = await setup({ 'ops.json': '' });
	const whitelisted = { uuid: ADA, name: 'Ada' };
	await lists.change('whitelist', () => ({ add: whitelisted }));
	await lists.change('ops', () => ({ add: { ...whitelisted, level: 4 } }));
	expect(await text('whitelist.json')).toBe(json([whitelisted]));
	expect(JSON.parse(await text('ops.json'))).toHaveLength(1);
	expect((await stat(file('whitelist.json'))).mode & 0o777).toBe(0o644);
});

const add = () => ({ add: { uuid: ADA, name: 'Ada' } });

test.each(['[{"uuid":', '{}', '\0\0\0'])(
	'a damaged file (%j) is never overwritten',
	async (bad) => {
		const { lists, text } = await setup({ 'whitelist.json': bad });
		await expect(lists.change('whitelist', add)).rejects.toMatchObject({ kind: 'upstream' });
		expect(await text('whitelist.json')).toBe(bad);
	}
);

test('links, folders and FIFOs are never written, nor are their targets', async () => {
	const { lists, dir, file, text } = await setup({ secret: '[]', twin: '[]' });
	const plant: Record<string, (at: string) => Promise<unknown>> = {
		link: (at) => symlink(file('secret'), at),
		dangling: (at) => symlink(file('nowhere'), at),
		folder: (at) => mkdir(at),
		fifo: (at) => run('mkfifo', [at], { timeoutMs: 5000 })
	};
	for (const make of Object.values(plant)) {
		await make(file('whitelist.json'));
		const before = await lstat(file('whitelist.json'));
		const refused = { kind: 'upstream', message: expect.stringContaining('Nothing was changed') };
		await expect(lists.change('whitelist', add)).rejects.toMatchObject(refused);
		expect((await lstat(file('whitelist.json'))).ino).toBe(before.ino);
		await rm(file('whitelist.json'), { recursive: true });
	}
	// A hard link is a plain file: the other name keeps the old content.
	await link(file('twin'), file('whitelist.json'));
	await lists.change('whitelist', add);
	expect(await text('twin')).toBe('[]');
	expect(await text('secret')).toBe('[]');
	expect((await readdir(dir)).sort()).toEqual(['secret', 'twin', 'whitelist.json']);
});

/** Changes the lists of a folder as a user who is not root. */
async function asNobody(dir: string, list: string) {
	const module = fileURLToPath(new URL('lists.ts', import.meta.url));
	const script = `
		const { createPlayerLists } = await import(${JSON.stringify(module)});
		// Once everything is loaded: that user may not even be able to read this project.
		if (process.geteuid() === 0) (process.setgroups([]), process.setgid(${NOBODY}), process.setuid(${NOBODY}));
		const lists = createPlayerLists({ dir: process.argv[1], clock: { now: () => new Date() } });
		await lists.change(process.argv[2], () => ({ add: { uuid: '${ADA}', name: 'Ada' } })).then(
			(changed) => console.log(JSON.stringify({ changed })),
			({ kind, message }) => console.log(JSON.stringify({ kind, message }))
		);`;
	const child = spawn(process.execPath, ['--input-type=module', '-e', script, dir, list], {
		stdio: ['ignore', 'pipe', 'inherit']
	});
	let out = '';
	child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
	await once(child, 'close');
	return JSON.parse(out) as { changed?: boolean; kind?: string; message?: string };
}
const give = async (...files: string[]) => {
	if (asRoot) for (const file of files) await chown(file, NOBODY, NOBODY);
};

test('a file or folder without write permission is refused, and nothing is changed', async () => {
	const { dir, file, text } = await setup({ 'whitelist.json': '[]' });
	await give(dir, file('whitelist.json'));
	const denied = {
		kind: 'upstream',
		message: expect.stringMatching(/whitelist\.json .*permission was denied.*Nothing was changed/)
	};

	await chmod(file('whitelist.json'), 0o444);
	expect(await asNobody(dir, 'whitelist')).toMatchObject(denied);
	await chmod(file('whitelist.json'), 0o644);
	await chmod(dir, 0o555);
	expect(await asNobody(dir, 'whitelist')).toMatchObject(denied);
	expect(await text('whitelist.json')).toBe('[]');
	expect(await readdir(dir)).toEqual(['whitelist.json']);

	await chmod(dir, 0o755);
	expect(await asNobody(dir, 'whitelist')).toEqual({ changed: true });
});

test.skipIf(!asRoot)('the game’s user keeps owning the file when root edits it', async () => {
	const { lists, file } = await setup({ 'whitelist.json': '[]' });
	await chown(file('whitelist.json'), 1234, 1235);
	await lists.change('whitelist', add);
	expect(await stat(file('whitelist.json'))).toMatchObject({ uid: 1234, gid: 1235 });
});

test.skipIf(!asRoot)('the owner of another user’s file is not changed', async () => {
	const { dir, file, text } = await setup({ 'whitelist.json': '[]' });
	await chown(dir, NOBODY, NOBODY);
	await chmod(file('whitelist.json'), 0o666);
	const answer = await asNobody(dir, 'whitelist');
	expect(answer.message).toMatch(/belongs to another user/);
	expect(await text('whitelist.json')).toBe('[]');
});

test('server.properties is read and edited in place, the rest byte for byte', async () => {
	const dir = await folder({
		'server.properties': '#note\r\nwhite-list = false\r\nmotd=\\u00e9\r\n'
	});
	await editServerProperties(dir, { 'white-list': 'true' });
	const text = await readFile(path.join(dir, 'server.properties'), 'utf8');
	expect(text).toBe('#note\r\nwhite-list = true\r\nmotd=\\u00e9\r\n');
	expect((await readServerProperties(dir, systemClock))?.get('white-list')).toBe('true');
});

test('missing properties have no keys, unreadable ones are unknown', async () => {
	const dir = await folder();
	expect((await readServerProperties(dir, systemClock))?.entries()).toEqual([]);
	await mkdir(path.join(dir, 'server.properties'));
	expect(await readServerProperties(dir, systemClock)).toBeNull();
	await expect(editServerProperties(dir, { a: 'b' })).rejects.toMatchObject({ kind: 'upstream' });
});

test('properties being written are waited for', async () => {
	const dir = await folder({ 'server.properties': '' });
	setTimeout(() => void writeFile(path.join(dir, 'server.properties'), 'online-mode=false\n'), 40);
	expect((await readServerProperties(dir, systemClock))?.get('online-mode')).toBe('false');
});

test('last-seen times come from files named after an id, in either location', async () => {
	const dir = await folder();
	await mkdir(path.join(dir, 'stats'));
	await mkdir(path.join(dir, 'players/stats'), { recursive: true });
	const note = async (name: string, at: string) => {
		await writeFile(path.join(dir, name), '{}');
		await utimes(path.join(dir, name), new Date(at), new Date(at));
	};
	await note(`stats/${ADA}.json`, '2026-01-01T00:00:00Z');
	await note(`players/stats/${ADA}.json`, '2026-02-01T00:00:00Z');
	await note('stats/notes.json', '2026-02-01T00:00:00Z');
	await note(`stats/${BOB.toUpperCase()}.json`, '2026-02-01T00:00:00Z');
	await mkdir(path.join(dir, `stats/${BOB}.json`));
	await symlink('/etc/passwd', path.join(dir, `stats/${V3}.json`));
	expect([...(await readLastSeen(dir))]).toEqual([[ADA, '2026-02-01T00:00:00.000Z']]);
	expect((await readLastSeen(path.join(dir, 'nothing'))).size).toBe(0);
});

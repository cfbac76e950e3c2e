import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { ann, createKit, finished } from '../../../../../../tests/faults/operations-kit.ts';
import { modSet, putOf } from '../../../../../../tests/fakes/mods/change-setup.ts';
import { AppError } from '#core/errors';
import { systemClock } from '#core/clock';
import { satisfies, type JarFacts, type ModFile } from '#minecraft/mods';
import { OperationFailure } from '#operations';
import type { TrialVerdict } from '#trial';
import { createCulprits, type CulpritDeps } from './operation.ts';

const NAMES = ['a', 'b', 'c', 'd', 'e'];
const factsFor = (text: string): JarFacts => {
	const [modId = '', version = ''] = text.split(' ');
	const nothing = { provides: [], dependencies: [], nested: false, description: null };
	const mod = { modId, name: modId, version, loader: 'fabric', side: 'both', ...nothing } as const;
	return { ok: true, mods: [mod], library: false };
};
const verdict = (
	answer: TrialVerdict['verdict'],
	fingerprint: string | null = null
): TrialVerdict => ({
	...{ verdict: answer, fingerprint, readyMs: 1, durationMs: 10 },
	cause: answer === 'good' ? null : { message: 'It does not start.', log: [], mods: [] }
});

let kit: Awaited<ReturnType<typeof createKit>>;
let mods: string;
/** What a set of mods does when it is started: `a@2 b@1 …`. */
let start: (set: Set<string>) => TrialVerdict | Promise<TrialVerdict>;
let booted: string[][];
let acquitted: [operationId: string, guilty: string[]][];
let remembered: Parameters<CulpritDeps['remember']>[0][];

beforeEach(async () => {
	kit = await createKit();
	mods = path.join(kit.dir, 'server', 'mods');
	await mkdir(mods, { recursive: true });
	for (const name of NAMES) await writeFile(path.join(mods, `${name}-1.jar`), `${name} 1`);
	[booted, remembered, acquitted] = [[], [], []];
	start = () => verdict('good');
});

function open() {
	const culprits = createCulprits({
		...{ operations: kit.operations, journal: kit.journal, satisfies, clock: systemClock },
		...{ dataDir: kit.dir, serverDir: path.dirname(mods), modsDir: mods, log: { error() {} } },
		audit: async () => {},
		checkJar: async () => null,
		download: async ({ url }, to) =>
			writeFile(to, Buffer.from(url.slice('data:,'.length), 'base64')),
		readJar: async (handle) => factsFor(await handle.readFile('utf8')),
		read: async () => ({ files: await filesIn(mods), server: SERVER }),
		remember: async (failure) => void remembered.push(failure),
		acquit: async (...call) => void acquitted.push(call),
		trials: {
			problem: async () => null,
			times: async () => ({ limitMs: 120_000, usualMs: 30_000, holdMs: 20_000, wholeMs: 50_000 }),
			async boot(jars) {
				const texts = await Promise.all(jars.map((jar) => readFile(jar.path, 'utf8')));
				const set = texts.map((text) => text.replace(' ', '@')).sort();
				booted.push(set);
				return start(new Set(set));
			}
		}
	});
	culprits.define();
	return culprits;
}
const SERVER = { loader: 'fabric', loaderVersion: '0.16.9', gameVersion: '1.21.1' } as const;

async function filesIn(dir: string): Promise<ModFile[]> {
	const hashes = await modSet(dir);
	return Promise.all(
		(await readdir(dir)).sort().map(async (fileName) => ({
			...{ fileName, enabled: true, size: 3, mtimeMs: 0, regular: true },
			sha512: hashes[fileName] ?? null,
			facts: factsFor(await readFile(path.join(dir, fileName), 'utf8'))
		}))
	);
}

/** An update of all five that has failed. */
async function failedUpdate(memo: Record<string, unknown> = {}, cause = {}): Promise<string> {
	const before = await modSet(mods);
	const change = {
		put: NAMES.map((name) =>
			putOf({ fileName: `${name}-2.jar`, title: `${name.toUpperCase()} 2`, content: `${name} 2` })
		),
		take: NAMES.map((name) => ({
			...{ fileName: `${name}-1.jar`, title: `${name} 1`, side: 'both' as const },
			sha512: before[`${name}-1.jar`]!
		})),
		rename: [],
		before
	};
	kit.operations.define({
		kind: 'update',
		steps: () => [
			{
				id: 'x',
				label: 'x',
				async run(ctx) {
					await ctx.remember(memo);
					const nothing = { message: 'It does not start.', log: [], mods: [] };
					throw new OperationFailure({ ...nothing, ...cause });
				}
			}
		]
	});
	const { id } = await kit.operations.run('update', change, ann);
	await expect.poll(async () => (await kit.operations.get(id)).state).toBe('failed');
	return id;
}
const search = async (operationId: string) =>
	finished(kit.operations, await open().start({ operationId }, ann));

describe('among the mods of an update that failed', () => {
	test('that nothing is found does not contradict the log, which names one', async () => {
		const id = await failedUpdate({}, { mods: ['d'] });
		const { result, steps } = await search(id);
		expect(result).toEqual({ culprits: [], together: false, rest: [], named: ['d'] });
		expect(steps.find((one) => one.id === 'search')?.detail).toMatch(
			/everything starts: it shows only on the server itself/
		);
	});

	test('each boot is reported as it is made', async () => {
		start = (set) => (set.has('d@2') ? verdict('bad', 'd') : verdict('good'));
		const begun = await open().start({ operationId: await failedUpdate() }, ann);
		const told: number[] = [];
		kit.operations.watch(
			begun.id,
			(event) => event.type === 'operation' && told.push(event.operation.boots?.length ?? 0)
		);
		await finished(kit.operations, begun);
		expect(told.slice(0, booted.length)).toEqual(booted.map((_, i) => i + 1));
	});

	test('the culprit is found, the rest is named, and it is remembered', async () => {
		start = (set) => (set.has('d@2') ? verdict('bad', 'd') : verdict('good'));
		const operation = await search(await failedUpdate());
		expect(operation).toMatchObject({
			state: 'succeeded',
			result: {
				culprits: [{ fileName: 'd-2.jar', title: 'D', version: '2' }],
				together: false,
				rest: ['a-1.jar', 'b-1.jar', 'c-1.jar', 'e-1.jar'],
				// The half that was good; e was on beside d only.
				tried: 3,
				started: ['A', 'B', 'C'],
				updates: 5
			}
		});
		expect(remembered).toMatchObject([{ alone: true, certain: true }]);
		expect(operation.boots?.filter(({ control }) => control)).toHaveLength(2);
		expect(operation.boots?.filter(({ control }) => !control).length).toBeLessThanOrEqual(5);
		expect(operation.boots).toHaveLength(booted.length);
		// Nothing in it was changed.
		expect((await readdir(mods)).sort()).toEqual(NAMES.map((name) => `${name}-1.jar`));
		await expect(readdir(path.join(kit.dir, 'downloads', operation.id))).rejects.toThrow('ENOENT');
	});

	test('what its trial has shown is not started again', async () => {
		start = (set) => (set.has('d@2') ? verdict('bad', 'd') : verdict('good'));
		const boot = { durationMs: 1, readyMs: null, cause: null, at: '2026-01-01T00:00:00.000Z' };
		const boots = [
			{
				...boot,
				name: 'new',
				verdict: 'bad',
				fingerprint: 'd',
				files: NAMES.map((n) => `${n}-2.jar`)
			},
			{ ...boot, name: 'control', verdict: 'good', fingerprint: null, files: [] }
		];
		const operation = await search(await failedUpdate({ trial: 'bad', boots }));
		expect(operation.result?.culprits).toMatchObject([{ fileName: 'd-2.jar' }]);
		expect(booted.every((set) => set.length === 5)).toBe(true);
		expect(booted).toHaveLength(operation.boots!.length - 2);
	});

	test('its trial says nothing about a set that keeps a jar which was removed in it', async () => {
		// A mod with an id of its own, so that no new jar replaces it.
		await writeFile(path.join(mods, 'a-1.jar'), 'x 1');
		start = (set) => (set.has('x@1') ? verdict('good') : verdict('bad', 'x'));
		const boot = { durationMs: 1, readyMs: null, cause: null, at: '2026-01-01T00:00:00.000Z' };
		const files = NAMES.map((name) => `${name}-2.jar`);
		const boots = [
			{ ...boot, name: 'new', verdict: 'bad', fingerprint: 'x', files },
			{ ...boot, name: 'control', verdict: 'good', fingerprint: null, files: [] }
		];
		const { result } = await search(await failedUpdate({ trial: 'bad', boots }));
		expect(result?.culprits).toMatchObject([{ fileName: 'a-1.jar' }]);
	});

	test('two that only fail together are both named, and neither is certain', async () => {
		start = (set) => (set.has('a@2') && set.has('e@2') ? verdict('bad', 'ae') : verdict('good'));
		const { result } = await search(await failedUpdate());
		expect(result).toMatchObject({ together: true, rest: ['b-1.jar', 'c-1.jar', 'd-1.jar'] });
		expect(result?.culprits.map(({ fileName }) => fileName).sort()).toEqual(['a-2.jar', 'e-2.jar']);
		expect(remembered).toMatchObject([{ alone: false, certain: false }]);
	});

	test.each([
		['starts on a copy', () => verdict('good'), /the world/],
		['does not start as it was either', () => verdict('bad', 'x'), /as they are do not start/],
		[
			'cannot be judged',
			() => verdict('indeterminate'),
			/before it could be judged.*does not start\./
		]
	])('nobody is blamed when it %s', async (_, answer, words) => {
		start = answer;
		const operation = await search(await failedUpdate());
		expect(operation).toMatchObject({ state: 'succeeded', result: { culprits: [] } });
		expect(operation.steps.at(-1)?.detail).toMatch(words);
		expect(remembered).toEqual([]);
	});

	test.each<[string, Record<string, TrialVerdict[]>, RegExp]>([
		[
			'answers differently the second time',
			{ 'd@2': [verdict('bad', 'd'), verdict('bad', 'd'), verdict('bad', 'd'), verdict('good')] },
			/started once and failed once/
		],
		[
			'fails in another way by itself',
			{ 'd@2': [verdict('bad', 'd'), verdict('bad', 'lacks it')] },
			/failed in different ways/
		]
	])('nobody is blamed when the set %s', async (_, answers, words) => {
		start = (set) =>
			set.has('d@2') ? (answers['d@2']!.shift() ?? verdict('bad', 'lacks it')) : verdict('good');
		const operation = await search(await failedUpdate());
		expect(operation).toMatchObject({ state: 'succeeded', result: { culprits: [] } });
		expect(operation.steps.at(-1)?.detail).toMatch(words);
		expect(remembered).toEqual([]);
	});

	test.each([
		['once is repeated', 1, { culprits: [{ fileName: 'd-2.jar' }] }, /does not start here/],
		[
			'again and again ends the search, and blames nobody',
			99,
			{ culprits: [] },
			/could be judged.*Memory/
		]
	])('a boot that the machine ends halfway %s', async (_, times, result, words) => {
		let left = times;
		start = (set) => {
			if (booted.length > 3 && left-- > 0)
				return {
					...verdict('indeterminate'),
					cause: { message: 'Memory was short.', log: [], mods: [] }
				};
			return set.has('d@2') ? verdict('bad', 'd') : verdict('good');
		};
		const operation = await search(await failedUpdate());
		expect(operation).toMatchObject({ state: 'succeeded', result });
		expect(operation.steps.at(-1)?.detail).toMatch(words);
		expect(operation.boots!.filter((one) => one.verdict === 'indeterminate')).toHaveLength(
			Math.min(times, 2)
		);
		expect(remembered).toHaveLength(times === 1 ? 1 : 0);
	});

	test('a manual change ends it', async () => {
		start = async (set) => {
			await writeFile(path.join(mods, 'mine.jar'), 'mine 1');
			return set.has('d@2') ? verdict('bad', 'd') : verdict('good');
		};
		const operation = await search(await failedUpdate());
		expect(operation).toMatchObject({
			state: 'failed',
			cause: { message: expect.stringMatching(/mine\.jar was added/) }
		});
	});

	test('a manual change during the last boot blames nobody', async () => {
		let alone = 0;
		start = async (set) => {
			const isAlone = set.has('d@2') && [...set].filter((one) => one.endsWith('@2')).length === 1;
			if (isAlone && ++alone === 2) await writeFile(path.join(mods, 'mine.jar'), 'mine 1');
			return set.has('d@2') ? verdict('bad', 'd') : verdict('good');
		};
		expect(await search(await failedUpdate())).toMatchObject({
			state: 'failed',
			cause: { message: expect.stringMatching(/mine\.jar was added/) }
		});
		expect(remembered).toEqual([]);
	});

	test('an obstacle halfway ends it with the reason, and blames nobody', async () => {
		start = () => {
			if (booted.length === 3) throw new AppError('conflict', 'There is not enough memory.');
			return booted.length === 1 ? verdict('good') : verdict('bad', 'd');
		};
		const before = await modSet(mods);
		const operation = await search(await failedUpdate());
		expect(operation).toMatchObject({
			state: 'failed',
			cause: { message: 'There is not enough memory.' },
			boots: [{ verdict: 'good' }, { verdict: 'bad' }]
		});
		expect(operation.result).toBeUndefined();
		expect(remembered).toEqual([]);
		expect(await modSet(mods)).toEqual(before);
	});

	test('the expected effort is shown beforehand, and the progress afterwards', async () => {
		start = (set) => (set.has('d@2') ? verdict('bad', 'd') : verdict('good'));
		const culprits = open();
		const failed = await kit.operations.get(await failedUpdate());
		expect(await culprits.offer(failed)).toEqual({
			...{ search: null, why: null },
			estimate: { suspects: 5, boots: 12, minutes: 10 }
		});
		const search = await culprits.start({ operationId: failed.id }, ann);
		const ended = await finished(kit.operations, search);
		expect(ended.boots!.length).toBeLessThanOrEqual(12);
		expect((await culprits.offer(failed)).search).toBe(search.id);
		expect(acquitted).toEqual([[failed.id, [expect.any(String)]]]);
	});

	test('no more boots than were allowed', async () => {
		start = (set) => (set.has('d@2') ? verdict('bad', 'd') : verdict('good'));
		const operationId = await failedUpdate();
		const operation = await finished(
			kit.operations,
			await open().start({ operationId, maxBoots: 1 }, ann)
		);
		expect(operation).toMatchObject({ state: 'succeeded', result: { culprits: [] } });
		expect(operation.boots?.filter(({ control }) => !control)).toHaveLength(1);
	});
});

test('among all mods, when the server suddenly does not start', async () => {
	start = (set) => (set.has('c@1') ? verdict('bad', 'c') : verdict('good'));
	const operation = await finished(kit.operations, await open().start({ scope: 'all' }, ann));
	expect(operation.result).toMatchObject({ culprits: [{ fileName: 'c-1.jar' }], rest: [] });
	expect(booted[0]).toEqual([]);
});

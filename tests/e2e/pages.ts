import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { eventually, signedIn, type Dashboard } from '../harness.ts';

/**
 * Every page, in the states worth looking at: axe, the walk without JavaScript and `npm run screenshots` go through
 * these, and a test compares them with the routes. `{backup}` and the like are what `furnish` has made.
 */
export const PUBLIC_PAGES = ['/', '/login', '/login?error=CredentialsSignin'];
export const MISSING_PAGES = ['/nothing-here', '/admin/operations/20200101T000000000Z-0000'];
export const ADMIN_PAGES = [
	'/admin',
	'/admin/activity',
	'/admin/activity?view=audit',
	'/admin/operations/{operation}',
	'/admin/logs',
	'/admin/logs?q=nothing',
	'/admin/logs?view=files',
	'/admin/logs?file=gone.log',
	'/admin/console',
	'/admin/errors',
	'/admin/notifications',
	'/admin/notifications?add=discord',
	'/admin/devices',
	'/admin/server',
	'/admin/settings',
	'/admin/confirm?do=stop',
	'/admin/players',
	'/admin/players?tab=ops',
	'/admin/players?tab=whitelist',
	'/admin/players?tab=bans',
	'/admin/players?tab=everyone',
	'/admin/players?tab=everyone&player=57a832fa-0a23-3702-a6bd-9d6b7a2706e8',
	'/admin/players/57a832fa-0a23-3702-a6bd-9d6b7a2706e8',
	'/admin/players/confirm?do=ban&player=Mossfeather',
	'/admin/chat',
	'/admin/mods',
	'/admin/mods?mod=lantern-keeper-1.4.2.jar',
	'/admin/mods?pick=updates',
	'/admin/mods?tab=modpack',
	'/admin/mods?tab=upload',
	'/admin/mods?tab=find',
	'/admin/mods?tab=find&q=nothing-like-it',
	'/admin/mods/projects/5bAWXUdq',
	'/admin/mods/plan?do=update&all=1',
	'/admin/mods/plan?do=remove&file=fabric-api-0.104.0%2B1.21.1.jar',
	'/admin/mods/plan?do=disable&park=1&file=lantern-keeper-1.4.2.jar',
	'/admin/server/upgrade',
	'/admin/server/back?kept={kept}',
	'/admin/server/back?kept={kept}&do=remove',
	'/admin/backups',
	'/admin/backups?backup={backup}',
	'/admin/backups?tab=snapshots',
	'/admin/backups?tab=snapshots&snapshot={snapshot}',
	'/admin/backups/confirm?backup={backup}',
	'/admin/backups/confirm?snapshot={snapshot}&do=restore',
	'/admin/backups/confirm?snapshot={snapshot}&do=put-back',
	'/admin/backups/prune?keep=10',
	'/admin/backups/prune?keep=1',
	'/admin/backups/restore?backup={backup}',
	'/admin/schedule',
	'/admin/schedule/confirm?id={task}',
	'/admin/schedule/confirm?id={task}&do=run',
	'/admin/schedule/confirm?id={trigger}',
	'/admin/schedule/edit?id={task}',
	'/admin/schedule/edit?id={trigger}',
	'/admin/schedule/trigger',
	'/admin/analytics',
	'/admin/stats',
	'/admin/stats?metric=deaths'
];

export type Facts = {
	operation: string;
	backup: string;
	snapshot: string;
	kept: string;
	task: string;
	trigger: string;
};

export const addressOf = (page: string, facts: Facts) =>
	page.replace(/\{(\w+)\}/g, (_, name: keyof Facts) => encodeURIComponent(facts[name]));

/** Things to look at: a backup for each note, a snapshot, tasks, a day of measurements and what a browser told. */
export async function furnish(
	dashboard: Dashboard,
	notes = ['Before the summer update']
): Promise<Facts> {
	await appendFile(path.join(dashboard.dataDir, 'metrics.jsonl'), aDayOfSamples());
	const visitor = await signedIn(dashboard);
	const made = async (target: string, body: unknown) => {
		const { status, body: answer } = await visitor.json(target, body);
		if (status >= 300) throw new Error(`${target} answered ${status}: ${answer?.detail}`);
		return answer;
	};
	const tasks = [
		{ type: 'backup', schedule: '30 4 * * *' },
		{ type: 'restart', schedule: '0 5 * * *', whenEmpty: 'only' },
		{ type: 'snapshot-prune', schedule: '0 5 * * 0', keep: 10 },
		{ type: 'say', schedule: '0 */6 * * *', message: 'Restart at midnight. Bring a bed.' }
	];
	let task = '';
	for (const one of tasks) task = (await made('/api/schedule/tasks', one)).task.id;
	const { trigger } = await made('/api/schedule/triggers', {
		when: { event: 'backup-failed' },
		do: { type: 'say', message: 'The backup failed. Tell Ada.' }
	});
	const kept = await keepOlder(dashboard, visitor);
	const { snapshot } = await made('/api/snapshots', { note: 'Before the summer update' });
	await visitor.json('/api/errors', {
		message: "TypeError: Cannot read properties of undefined (reading 'players')",
		stack:
			"TypeError: Cannot read properties of undefined (reading 'players')\n    at update (/_app/immutable/chunks/admin.js:12:3410)\n    at flush (/_app/immutable/chunks/kit.js:1:20117)",
		url: '/admin/players',
		kind: 'error'
	});
	let operation = '';
	for (const note of notes) {
		operation = (await made('/api/backups', { note })).operation.id;
		await eventually(
			async () => (await visitor.json(`/api/operations/${operation}`)).body.operation.state,
			(state) => state !== 'running'
		);
	}
	const { backups } = (await visitor.json('/api/backups')).body;
	return {
		operation,
		backup: backups[0].id,
		snapshot: snapshot.id,
		kept,
		task,
		trigger: trigger.id
	};
}

/** What an upgrade would have put aside. */
async function keepOlder({ gameDir }: Dashboard, visitor: Awaited<ReturnType<typeof signedIn>>) {
	const kept = '20260102T030405678Z-0123';
	const { snapshot } = (await visitor.json('/api/snapshots', { note: 'Before the upgrade' })).body;
	const { loader, loaderVersion, gameVersion } = (await visitor.json('/api/software')).body;
	const dir = path.join(gameDir, `.craftwarden-upgrade-${kept}`);
	await mkdir(path.join(dir, 'old/world'), { recursive: true });
	await writeFile(path.join(dir, 'old/world/level.dat'), 'older');
	await writeFile(
		path.join(dir, 'kept.json'),
		JSON.stringify({
			at: new Date(Date.now() - 2 * 24 * 3_600_000).toISOString(),
			until: new Date(Date.now() + 5 * 24 * 3_600_000).toISOString(),
			aside: { loader, loaderVersion, gameVersion: '1.20.6' },
			live: { loader, loaderVersion, gameVersion },
			exchange: { put: ['world'], take: ['world', 'server.properties'] },
			...{ holds: 'old', snapshot: snapshot.id, known: ['world'], bytes: 1_288_490_188 }
		})
	);
	return kept;
}

/** Smooth, and the same each time except that it ends now. */
function aDayOfSamples() {
	const STEP_MS = 60_000;
	const DAY_MS = 24 * 3_600_000;
	const end = Date.now() - STEP_MS;
	let lines = '';
	for (let t = end - DAY_MS; t < end; t += STEP_MS) {
		const hour = (t / 3_600_000) % 24;
		const wave = (period: number) => Math.sin((t / 60_000 / period) * 2 * Math.PI);
		const players = Math.max(0, Math.round(4 + 4 * Math.sin(((hour - 13) / 24) * 2 * Math.PI)));
		const mspt = 14 + players * 2.2 + 3 * wave(37) + (wave(400) > 0.995 ? 40 : 0);
		const sample = {
			t,
			ram: Math.round((2.1 + 0.7 * ((t / STEP_MS) % 47) * (1 / 47)) * 2 ** 30),
			cpu: Math.round((18 + players * 6 + 4 * wave(97)) * 10) / 10,
			players,
			tps: Math.round(Math.min(20, 1000 / Math.max(50, mspt)) * 100) / 100,
			mspt: Math.round(mspt * 100) / 100
		};
		lines += `${JSON.stringify(sample)}\n`;
	}
	return lines;
}

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { furnish, type Facts } from '../../tests/e2e/pages.ts';
import { startGame } from '../../tests/e2e/game.ts';
import { unseenServer } from '../../tests/fakes/game/unseen-server.ts';
import {
	eventually,
	processesIn,
	signedIn,
	startDashboard,
	type Dashboard,
	type Visitor
} from '../../tests/harness.ts';
import { modJar } from '../demo-server/seed/seed-mods.ts';

/** A dashboard in one state. Pages about what is not in `facts` are left out. */
export type Stage = {
	dashboard: Dashboard;
	facts: Partial<Facts>;
	/** The only pages that differ in this state; all when left out. */
	pages?: string[];
	dispose(): Promise<void>;
};

/** Where a server that is not well shows. */
const TROUBLED = [
	'/',
	'/admin',
	'/admin/players',
	'/admin/chat',
	'/admin/console',
	'/admin/mods',
	'/admin/backups',
	'/admin/logs',
	'/admin/activity',
	'/admin/server',
	'/admin/operations/{operation}',
	'/admin/confirm?do=stop'
];

/** Starts a dashboard and brings it into its state; what fails halfway is cleaned up. */
async function stage(
	env: Record<string, string>,
	prepare: (dashboard: Dashboard) => Promise<Partial<Stage>>
): Promise<Stage> {
	const dashboard = await startDashboard({ env });
	try {
		return { dashboard, facts: {}, dispose: dashboard.dispose, ...(await prepare(dashboard)) };
	} catch (error) {
		await dashboard.dispose();
		throw error;
	}
}

const state = (visitor: Visitor, wanted: string) =>
	eventually(
		async () => (await visitor.json('/api/status')).body.state,
		(now) => now === wanted,
		60_000
	);
async function lastOperation(visitor: Visitor) {
	const { operations } = (await visitor.json('/api/operations')).body;
	return { operation: operations[0].id as string };
}

/** A running server with players, and all that `furnish` makes. */
const running = () =>
	stage({ DEMO_SPEED: '5', SERVER_NAME: 'Emberfall' }, async (dashboard) => {
		const facts = await furnish(dashboard, ['', 'Before the summer update']);
		const visitor = await signedIn(dashboard);
		await visitor.json('/api/server/start', {});
		const players = async () => (await visitor.json('/api/status')).body.players.online ?? 0;
		await eventually(players, (online) => online >= 3, 60_000);
		await visitor.json('/api/players', {
			action: 'ban',
			player: 'Grumbleroot',
			reason: 'Stole from a chest'
		});
		await visitor.json('/api/chat', { message: 'Welcome back. The bridge is finished.' });
		await visitor.json('/api/mods/updates?refresh=1');
		const messages = async () => (await visitor.json('/api/chat')).body.messages.length;
		await eventually(messages, (count) => count >= 12, 60_000);
		return { facts };
	});

const PEOPLE = 60;
const MODS = 200;
const LONG = 'Emberfall-the-long-awaited-second-season-of-the-lantern-keepers';

/** Stopped, with sixty players on every list, two hundred mods, and long names and notes wherever one can be given. */
const crowded = () =>
	stage({ SERVER_NAME: LONG }, async (dashboard) => {
		const people = Array.from({ length: PEOPLE }, (_, i) => ({
			uuid: `00000000-0000-3000-8000-${i.toString(16).padStart(12, '0')}`,
			name: `Wanderer_${'x'.repeat(5)}${i}`.slice(0, 16),
			reason: 'Took the roof off the town hall, twice, and would not say where it went',
			created: '2026-01-02 03:04:05 +0000',
			...{ source: 'Server', expires: 'forever', level: 4, bypassesPlayerLimit: false },
			expiresOn: '2099-01-02 03:04:05 +0000'
		}));
		for (const list of ['whitelist', 'banned-players', 'ops', 'usercache'])
			await writeFile(path.join(dashboard.gameDir, `${list}.json`), JSON.stringify(people));
		for (let i = 0; i < MODS; i++) {
			const id = `wanderers-${i % 7 ? '' : 'long-expected-and-much-discussed-'}kit-${i}`;
			const jar = { id, version: `${i}.0.1+1.21.1`, name: id.replaceAll('-', ' ') };
			const content = modJar({ ...jar, description: 'Another one of very many.' });
			await writeFile(path.join(dashboard.gameDir, 'mods', `${id}.jar`), content);
		}
		const note = `${LONG} before summer`;
		return { facts: await furnish(dashboard, [note]) };
	});

/** Sixty at once, who stay and talk. */
const busy = () =>
	stage({ DEMO_BOTS: String(PEOPLE), DEMO_STAY: 'true', DEMO_SPEED: '3' }, async (dashboard) => {
		const file = path.join(dashboard.gameDir, 'server.properties');
		const properties = await readFile(file, 'utf8');
		await writeFile(file, properties.replace(/^max-players=.*$/m, `max-players=${PEOPLE + 20}`));
		const visitor = await signedIn(dashboard);
		await visitor.json('/api/server/start', {});
		const players = async () => (await visitor.json('/api/status')).body.players.online ?? 0;
		await eventually(players, (online) => online >= PEOPLE, 60_000);
		return { pages: ['/', '/admin', '/admin/players', '/admin/chat', '/admin/stats'] };
	});

/** A demo that nobody has touched: nothing of anything. */
const untouched = () => stage({}, async () => ({}));

/** It stands still before it is ready. */
const starting = () =>
	stage({ DEMO_HANG_IN_BOOT: 'true' }, async (dashboard) => {
		const visitor = await signedIn(dashboard);
		await visitor.json('/api/server/start', {});
		await state(visitor, 'starting');
		return { facts: await lastOperation(visitor), pages: TROUBLED };
	});

/** It was up, and answers nothing any more. */
const hanging = () =>
	stage({}, async (dashboard) => {
		const visitor = await startGame(dashboard);
		for (const pid of await processesIn(dashboard.gameDir)) process.kill(pid, 'SIGSTOP');
		await state(visitor, 'unknown');
		return { facts: await lastOperation(visitor), pages: TROUBLED };
	});

/** One of its mods brought it down, with a crash report. */
const crashed = () =>
	stage(
		{ DEMO_DIE_WITH_MOD: 'lithium', DEMO_DIE_AFTER_READY_MS: '2000' },
		async (dashboard) => {
			const visitor = await signedIn(dashboard);
			await visitor.json('/api/server/start', {});
			await state(visitor, 'crashed');
			return { facts: await lastOperation(visitor), pages: TROUBLED };
		}
	);

/** Something answers where the server should, and its process is not to be seen. */
async function unseen(): Promise<Stage> {
	const server = await unseenServer();
	return stage(server.env, async (dashboard) => ({
		pages: TROUBLED,
		async dispose() {
			await dashboard.dispose();
			await server.close();
		}
	}));
}

/** The first run of somebody's own: a folder with nothing in it. */
async function empty(): Promise<Stage> {
	const folder = await mkdtemp(path.join(tmpdir(), 'craftwarden-empty-'));
	return stage({ SERVER_DIR: folder, SCHEDULER: 'embedded' }, async (dashboard) => ({
		async dispose() {
			await dashboard.dispose();
			await rm(folder, { recursive: true, force: true });
		}
	}));
}

export const STAGES: Record<string, () => Promise<Stage>> = {
	running,
	crowded,
	busy,
	untouched,
	starting,
	hanging,
	crashed,
	unseen,
	empty
};

import { expect, test } from 'vitest';
import { sections, type Entry } from './entries.ts';
import { errandsFor } from './errands.ts';

const page = (label: string): Entry => ({ id: label, label, kind: 'Pages', to: '/' });
const PAGES = [
	...['Players', 'Mods', 'Backups', 'Logs', 'Schedule', 'Software'],
	...['Online', 'Ops', 'Whitelist', 'Bans'].map((tab) => `Players: ${tab}`)
].map(page);
const first = (search: string) =>
	sections([...errandsFor('superadmin', null), ...PAGES], [], search, [])[0]?.entries[0]?.label;

test('what people come to do is found first by the word they would use', () => {
	const said = {
		ban: 'Ban a player…',
		kick: 'Kick a player…',
		op: 'Op a player…',
		whitelist: 'Whitelist a player…',
		unban: 'Pardon a player…',
		pardon: 'Pardon a player…',
		'update mods': 'Update mods…',
		'upload mod': 'Upload a mod…',
		upload: 'Upload a mod…',
		'search mods': 'Search mods to install…',
		restore: 'Restore a backup…',
		upgrade: 'Upgrade Minecraft…',
		'new task': 'New scheduled task…',
		cron: 'New scheduled task…'
	};
	expect(Object.fromEntries(Object.keys(said).map((word) => [word, first(word)]))).toEqual(said);
	for (const name of ['Players', 'Mods', 'Logs', 'Schedule', 'Software'])
		expect(first(name.toLowerCase())).toBe(name);
});

test('nobody is offered what only a superadmin may do, and without a server what needs one says so', () => {
	const offered = errandsFor('admin', 'There is no server.');
	expect(offered.map(({ id }) => id)).not.toEqual(
		expect.arrayContaining(['op', 'upload-mod', 'restore'])
	);
	expect(offered.find(({ id }) => id === 'ban')?.blocked).toBe('There is no server.');
	expect(offered.find(({ id }) => id === 'search-logs')?.blocked).toBeNull();
});

test('without a server setting one up is found first, and what is possible before what is not', () => {
	const none = 'There is no server.';
	const found = (search: string, role: 'superadmin' | 'admin' = 'superadmin') =>
		sections([...errandsFor(role, none), ...PAGES], [], search, [])[0]?.entries ?? [];
	for (const said of [
		'set up',
		'setup',
		'set up a server',
		'install',
		'install server',
		'new server'
	])
		expect(found(said)[0], said).toMatchObject({ label: 'Set up a server here', blocked: null });
	expect(found('setup', 'admin').map(({ id }) => id)).not.toContain('set-up');
	expect(errandsFor('superadmin', null).map(({ id }) => id)).not.toContain('set-up');
	const [one, other] = ['a', 'b'].map((id) => ({ ...page('Chart'), id }));
	const first = sections([{ ...one!, blocked: none }, other!], [], 'chart', ['a'])[0]?.entries[0];
	expect(first?.id).toBe('b');
});

test('with nobody online there is nobody to kick, and a ban needs nobody online', () => {
	const offered = errandsFor('superadmin', null, null, 'Nobody is online.');
	const blocked = (id: string) => offered.find((one) => one.id === id)?.blocked;
	expect(blocked('kick')).toBe('Nobody is online.');
	expect(['ban', 'say', 'command'].map(blocked)).toEqual([null, null, null]);
});

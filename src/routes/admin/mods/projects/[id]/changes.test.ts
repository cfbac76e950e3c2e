import { expect, test } from 'vitest';
import { changesFrom } from './changes';

const version = (day: number, installed = false) => ({
	publishedAt: `2026-01-0${day}T00:00:00.000Z`,
	installed
});

test('a version is an update or a downgrade by its date, and neither where nothing is installed', () => {
	const all = [version(3), version(2, true), version(1)];
	expect(all.map(changesFrom('mod.jar', all))).toEqual(['Update', 'Installed', 'Downgrade']);
	const absent = [version(3), version(1)];
	expect(absent.map(changesFrom(null, absent))).toEqual(['Install', 'Install']);
	// The registry lists the installed one no more.
	expect(absent.map(changesFrom('mod.jar', absent))).toEqual(['Change to this', 'Change to this']);
});

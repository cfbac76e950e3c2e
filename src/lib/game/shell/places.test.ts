import { expect, test } from 'vitest';
import { listOf, placesFor } from './places';

const PLACES = placesFor('superadmin');

test('the way back from what a form has begun leads to its list, as that was seen', () => {
	const back = (address: string, seen?: string) => listOf(PLACES, address, seen);
	const plan = '/admin/mods/plan?do=disable&file=lithium.jar';
	expect(back(plan)).toBe('/admin/mods');
	expect(back(plan, '/admin/mods?show=updates')).toBe('/admin/mods?show=updates');
	// Another list is not where it belongs.
	expect(back(plan, '/admin/backups?tab=snapshots')).toBe('/admin/mods');
	expect(back('/admin/backups/confirm?snapshot=a&do=put-back')).toBe('/admin/backups');
	expect(back('/admin/backups/restore?backup=a')).toBe('/admin/backups');
	expect(back('/admin/server/upgrade?to=1.21.4')).toBe('/admin/server');
	expect(back('/admin/confirm?do=restart')).toBe('/admin');
});

test('a list itself is left as it is, and no place has none', () => {
	expect(listOf(PLACES, '/admin/logs?q=joined', '/admin/logs')).toBe('/admin/logs?q=joined');
	expect(listOf(placesFor('admin'), '/admin/console')).toBeUndefined();
});

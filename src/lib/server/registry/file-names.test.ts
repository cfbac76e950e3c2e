import { expect, test } from 'vitest';
import { SafeJarName } from '#schemas/mod';
import { safeJarName } from './file-names.ts';

const ids = { projectId: 'AANobbMI', versionId: 'c3YkZvne' };

test.each([
	'sodium-fabric-0.6.13+mc1.21.4.jar',
	'Chunky-1.4.16.jar',
	'My Mod (Fabric) [1.20].jar',
	'_x.jar'
])('%s is used unchanged', (name) => expect(safeJarName(name, ids)).toBe(name));

test.each([
	['[Fabric] Möds & more.jar', 'Fabric] Mods - more.jar'],
	['Mod.JAR', 'Mod.jar'],
	['a:b*c?.jar', 'a-b-c.jar']
])('%s is written as %s', (name, safe) => expect(safeJarName(name, ids)).toBe(safe));

test.each([
	'../../x.jar',
	'/etc/x.jar',
	'a\\b.jar',
	'.jar',
	'..jar',
	'.hidden.jar',
	'-rf.jar',
	'CON.jar',
	'nul.something.jar',
	`${'x'.repeat(300)}.jar`,
	'two\nlines.jar',
	'evil\u202egnp.jar',
	'x\0.jar',
	'日本.jar',
	'   .jar'
])('%j is replaced by a name made of the ids', (name) => {
	expect(safeJarName(name, ids)).toBe('AANobbMI-c3YkZvne.jar');
});

test('whatever comes, the name is safe', () => {
	for (const id of ['.', '..', '-', 'a/b', '', 'x'.repeat(60)])
		for (const name of ['../x.jar', '💥.jar', '', '\u0000', '-.jar', '. .jar', 'a'.repeat(5000)]) {
			const safe = safeJarName(name, { projectId: id, versionId: id });
			expect(SafeJarName.safeParse(safe).success, `${name} ${id} ${safe}`).toBe(true);
		}
});

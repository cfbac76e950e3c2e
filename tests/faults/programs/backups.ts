// Makes a backup or restores one beside a game whose state is kept in a file: `backups.ts <folder> backup|restore|restore-after-backup`.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { AppError } from '#core/errors';
import { ADA, setupBackups, type Game } from '../../fakes/archives/backups-setup.ts';
import { createSteadyClock } from './steady-clock.ts';

type Action = 'backup' | 'restore' | 'restore-after-backup';
const [, , dir, action] = process.argv as [string, string, string, Action];
const gameFile = path.join(dir, 'game.json');
const game: Game = {
	...JSON.parse(readFileSync(gameFile, 'utf8')),
	answers: new Map(),
	lastSeen: new Map()
};
game.changed = () => writeFileSync(gameFile, JSON.stringify(game));
const setup = setupBackups(path.join(dir, 'data'), game, { clock: createSteadyClock() });
try {
	const id = readFileSync(path.join(dir, 'earlier'), 'utf8');
	const begun =
		action === 'backup'
			? setup.backups.create({ note: 'new', withMods: true }, ADA)
			: setup.backups.restore(
					id,
					{ scope: 'all', backupFirst: action === 'restore-after-backup' },
					ADA
				);
	const { state } = await setup.finished(begun);
	console.log('ended', state);
} catch (error) {
	if (!(error instanceof AppError)) throw error;
	console.log('refused', error.kind, error.message);
}
await setup.close();

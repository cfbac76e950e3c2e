import fs from 'node:fs';
import path from 'node:path';
import type { Game } from '../game.ts';
import { createRandom } from '../pace.ts';
import { GAME_VERSION } from '../world/version.ts';

const PROTOCOL = 767;
const CACHE_MS = 5000;
const MAX_SAMPLE = 12;
const MAX_ICON_BYTES = 64 * 1024;

/** The status object, built anew every five seconds at most; `null` with enable-status=false. */
export function createStatusAnswer(game: Game): () => string | null {
	const random = createRandom(game.options.seed);
	const icon = readIcon(game.dir);
	let answer = '';
	let builtAt = -Infinity;

	const build = () => {
		const all = [...game.online.values()].map(({ name, uuid }) => ({ name, id: uuid }));
		const sample = all
			.sort(() => random.next() - 0.5)
			.slice(0, game.properties.flag('hide-online-players') ? 0 : MAX_SAMPLE);
		return JSON.stringify({
			description: game.properties.get('motd'),
			players: {
				max: game.properties.number('max-players'),
				online: game.online.size,
				...(sample.length > 0 && { sample })
			},
			version: { name: GAME_VERSION, protocol: PROTOCOL },
			...(icon && { favicon: icon }),
			enforcesSecureChat:
				game.properties.flag('enforce-secure-profile') && game.properties.flag('online-mode')
		});
	};
	return () => {
		if (!game.properties.flag('enable-status')) return null;
		if (game.pace.now() - builtAt >= CACHE_MS) {
			answer = build();
			builtAt = game.pace.now();
		}
		return answer;
	};
}

function readIcon(dir: string): string | null {
	const file = path.join(dir, 'server-icon.png');
	const stat = fs.statSync(file, { throwIfNoEntry: false });
	if (!stat?.isFile() || stat.size > MAX_ICON_BYTES) return null;
	return `data:image/png;base64,${fs.readFileSync(file).toString('base64')}`;
}

import { createInterface } from 'node:readline';
import { startBots } from './world/bots.ts';
import type { Outside } from './boot/boot.ts';
import { boot } from './boot/boot.ts';
import type { Source } from './commands/types.ts';
import { execute } from './commands/commands.ts';
import { memoryCrash, tickingCrash, watchdogCrash } from './boot/crash-report.ts';
import type { Game } from './game.ts';
import { saveEverything, TICK_MS } from './game.ts';
import { openLog } from './log.ts';
import { findMod } from './boot/mods.ts';
import type { Options } from './options.ts';
import { OptionError, readOptions } from './options.ts';
import { createProcessLife } from './boot/process-life.ts';
import type { AnswerBuffer, RconServer } from './net/rcon.ts';
import { openRcon } from './net/rcon.ts';
import type { Sockets } from './boot/shutdown.ts';
import { bark, crash, hang, stopServer } from './boot/shutdown.ts';
import { createStatusAnswer } from './net/status-answer.ts';

const AUTOSAVE_MS = 300_000;
const SAFETY_EXIT = 86;
const BAD_OPTION_EXIT = 2;

/** The game's server in the current folder. */
async function main(): Promise<void> {
	const dir = process.cwd();
	const options = optionsOrExit(dir);
	if (options.exitAfterMs !== null)
		setTimeout(() => process.exit(SAFETY_EXIT), options.exitAfterMs).unref();
	const log = openLog(dir);
	const life = createProcessLife(log, options.ignoreStop);
	const outside: Outside = { dir, options, log, life };
	let status: () => string | null = () => null;
	let ready: Sockets | null = null;

	const halt = (game: Game, exitCode: number) => {
		// While the world loads, boot itself looks at `halted`. A tick's grace lets the answer to `stop` out.
		const sockets = ready;
		if (!sockets) return;
		setTimeout(() => {
			void game.main.submit(() => {
				if (options.ignoreStop) return refuseToStop(game, sockets);
				game.main.freeze();
				void stopServer(game, sockets, life, exitCode);
			});
		}, TICK_MS);
	};
	const { game, sockets } = await boot(outside, halt, () => status());
	sockets.rcon = await startRcon(game);
	if (game.halted !== null) await stopServer(game, sockets, life, game.halted);
	status = createStatusAnswer(game);
	ready = sockets;
	startBots(game);
	startAutosave(game);
	readConsole(game);
	if (options.freeze) hang(game, sockets);
	planDeath(outside, game, sockets);
}

function optionsOrExit(dir: string): Options {
	try {
		return readOptions(dir, process.env);
	} catch (error) {
		if (!(error instanceof OptionError)) throw error;
		process.stderr.write(`demo-server: ${error.message}\n`);
		return process.exit(BAD_OPTION_EXIT);
	}
}

function refuseToStop(game: Game, sockets: Sockets): void {
	game.log.info('Stopping server');
	sockets.status?.close();
	hang(game, sockets);
}

async function startRcon(game: Game): Promise<RconServer | null> {
	const { properties, log } = game;
	if (!properties.flag('enable-rcon')) return null;
	log.info('Starting remote control listener');
	const password = properties.get('rcon.password');
	const port = properties.number('rcon.port');
	if (password === '') {
		log.warn('No rcon password set in server.properties, rcon disabled!');
		return null;
	}
	if (port < 1 || port > 65_535) {
		log.warn(`Invalid rcon port ${port} found in server.properties, rcon disabled!`);
		return null;
	}
	const answer: AnswerBuffer = { text: '' };
	const source: Source = {
		name: 'Rcon',
		reply: (message) => void (answer.text += message),
		informs: () => properties.flag('broadcast-rcon-to-ops')
	};
	return openRcon({
		host: properties.get('server-ip') || '0.0.0.0',
		port,
		password,
		log,
		answer,
		execute: (command) => game.main.submit(() => execute(game, source, command))
	});
}

/** Lines on stdin are commands; its end means nothing. */
function readConsole(game: Game): void {
	const source: Source = {
		name: 'Server',
		reply: (message) => game.log.info(message),
		informs: () => false
	};
	process.stdin.on('error', () => process.stdin.destroy());
	createInterface({ input: process.stdin, terminal: false }).on('line', (line) => {
		if (line.trim() !== '') void game.main.submit(() => execute(game, source, line.trim()));
	});
}

function startAutosave(game: Game): void {
	setInterval(() => {
		void game.main.submit(() => {
			try {
				saveEverything(game, game.saving);
			} catch (error) {
				game.log.error(`Failed to save the world\n${String(error)}`);
			}
		});
	}, game.pace.real(AUTOSAVE_MS));
}

function planDeath({ options, life }: Outside, game: Game, sockets: Sockets): void {
	const { dieAfterReadyMs, dieWithMod, dieAs } = options;
	const culprit = dieWithMod === null ? undefined : findMod(game.mods, dieWithMod);
	if (dieAfterReadyMs === null || (dieWithMod !== null && !culprit)) return;
	setTimeout(() => {
		void game.main.submit(() => {
			game.main.freeze();
			if (dieAs === 'watchdog') {
				hang(game, sockets);
				void bark(game, life, watchdogCrash());
			} else
				void crash(game, sockets, life, dieAs === 'memory' ? memoryCrash() : tickingCrash(culprit));
		});
	}, dieAfterReadyMs);
}

await main();

import type { Clock } from '#core/clock';
import { lazy, lazyMethods } from '#core/lazy';
import type { Logger } from '#core/log';
import type { ServerConfig } from '#env';
import { acceptEula, editServerProperties } from '#minecraft/folder';
import { javaOf } from '#minecraft/java';
import type { Operations } from '#operations';
import type { Audit } from '#services/audit';
import type { Power } from '#services/power';
import { createDemoSources } from './demo/demo.ts';
import type { Game } from './game.ts';

type Needs = {
	clock: Clock;
	log: Logger;
	audit: Audit;
	game: Game;
	power: Power;
	operations: Operations;
	environment: NodeJS.ProcessEnv;
	root: string;
};

/** What the server is made of, and Java: loaded when it is first needed. */
export function wireSoftware(config: ServerConfig, needs: Needs) {
	const refusal = refusalOf(config);
	const part = lazy(async () => build(config, needs, refusal));
	return {
		software: lazyMethods(async () => (await part()).software, { refusal }),
		sources: lazyMethods(async () => (await part()).sources),
		/** Of every kind that changes what the server is made of. */
		defineOperations: async () => (await part()).software.define(),
		async close() {
			const built = await part.built();
			built?.software.close();
			await built?.demo?.close();
		}
	};
}

async function build(config: ServerConfig, needs: Needs, refusal: string | null) {
	const { clock, log, audit, game, power, operations, environment, root } = needs;
	const { serverDir, dataDir, backupDir, snapshotDir, logDir, sourceUrls } = config;
	const { createSoftware } = await import('#services/software');
	const { createSources, hasSandbox, runInstaller, SOURCE_ADDRESSES } = await import('#sources');
	const demo = config.demo ? createDemoSources(root) : null;
	const sources = createSources({
		address: (setting) =>
			sourceUrls[setting] ??
			(demo
				? async () => demoAddress(await demo.url(), setting)
				: new URL(SOURCE_ADDRESSES[setting])),
		userAgent: `craftwarden/craftwarden/${config.version} (github.com/craftwarden/craftwarden)`,
		clock,
		log
	});
	const hidden = [serverDir, dataDir, backupDir, snapshotDir, logDir, environment['HOME'] ?? ''];
	const software = createSoftware({
		...{ serverDir, refusal, sources, operations, clock, javaOf, hasSandbox },
		installation: game.installation,
		javas: game.javas,
		server: power.serverControl,
		runInstaller: (installer) => runInstaller({ ...installer, hidden }),
		write: { eula: acceptEula, properties: editServerProperties },
		changed: game.forget,
		audit: audit.record
	});
	return { software, sources, demo };
}

const PREFIXES = {
	MOJANG_META_URL: 'mojang',
	FABRIC_META_URL: 'fabric',
	NEOFORGE_MAVEN_URL: 'neoforge',
	FORGE_FILES_URL: 'forge-files',
	FORGE_MAVEN_URL: 'forge-maven',
	PAPER_API_URL: 'paper',
	ADOPTIUM_URL: 'adoptium'
};
/** The demo's services are one server, each under a prefix. */
const demoAddress = (url: URL, setting: keyof typeof PREFIXES) => new URL(PREFIXES[setting], url);

/** Only a game that is our own child, started as we work it out, may be exchanged from here. */
function refusalOf({ demo, runtime, serverCommand }: ServerConfig): string | null {
	if (demo)
		return 'The demo has a server of its own, which cannot be exchanged. Set SERVER_DIR in .env to an empty folder to set up a real one.';
	if (serverCommand)
		return 'SERVER_COMMAND in .env says how the server is started. Remove that line to let the dashboard choose Java and exchange the software, or change the line by hand.';
	if (runtime.kind === 'systemd')
		return `The unit ${runtime.unit} says what is started. Change its ExecStart= line by hand.`;
	if (runtime.kind === 'keeper')
		return 'The container of the game says what is started. Change its image, or the command of the keeper there.';
	return null;
}

import { VARIABLE_NAMES } from '#env';

/** Variables for the dashboard alone: its configuration, and what systemd, Node and our scripts pass to this process. */
const OWN = new Set<string>([
	...VARIABLE_NAMES,
	...['ENV_FILE', 'ANALYZE', 'NODE_OPTIONS', 'NOTIFY_SOCKET', 'GLIBC_TUNABLES'],
	...['PROTOCOL_HEADER', 'HOST_HEADER', 'ADDRESS_HEADER', 'XFF_DEPTH', 'BODY_SIZE_LIMIT']
]);

/** Read by us, and by start scripts as well. */
const SHARED = new Set(['JAVA_HOME']);

/** What the game inherits: everything but our own variables, which hold secrets that mods must not see. */
export const gameEnvironment = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
	Object.fromEntries(
		Object.entries(environment).filter(([name]) => !OWN.has(name) || SHARED.has(name))
	);

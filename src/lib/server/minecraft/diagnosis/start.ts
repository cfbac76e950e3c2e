import { diagnosis, find, isFailure, isSerious, excerpt, type Rule } from './evidence.ts';

/** Reasons other than mods that keep a server from starting. Starting it again would fail in the same way. */

const any = () => true;

const eula: Rule = ({ early }) => {
	const hit = find(early, /^You need to agree to the EULA in order to run the server/, any);
	return (
		hit &&
		diagnosis(
			'eula',
			'The server did not start because the Minecraft EULA has not been accepted.',
			{
				log: excerpt([hit], 0),
				advice:
					'Read https://aka.ms/MinecraftEULA, and if you agree write eula=true into eula.txt in the server folder.',
				restartable: false
			}
		)
	);
};

const worldLocked: Rule = ({ early }) => {
	const hit = find(
		early,
		/session\.lock: already locked|ExceptionWorldConflict|The save is being accessed from another location|Failed to check session lock/,
		isFailure
	);
	return (
		hit &&
		diagnosis(
			'world-locked',
			'Another program has this world open, so the server could not start.',
			{
				log: excerpt([hit], 0),
				advice:
					'A server may still be running in this folder, left over or started by hand: stop it, then start again. Do not delete session.lock.',
				restartable: false
			}
		)
	);
};

const port: Rule = ({ early }) => {
	const hit = find(early, /^\*{4} FAILED TO BIND TO PORT!/);
	const cause = find(early, /^The exception was: (.{1,300})/);
	return hit && portDiagnosis(early, excerpt([hit, cause], 0), cause?.match[1] ?? '');
};

/** Only when nothing else explains the failure: mods open ports of their own, and carry on without them. */
export const bindFailed: Rule = ({ early }) => {
	const hit = find(early, /(?:BindException|NativeIoException): .{0,80}(?:in use|assign|denied)/);
	return hit && portDiagnosis(early, excerpt([hit], 0), hit.match[0]);
};

function portDiagnosis(early: Parameters<typeof find>[0], log: string[], cause: string) {
	const number = find(early, /^Starting Minecraft server on \S{0,60}:(\d{1,5})/, any)?.match[1];
	const name = number ? `Port ${number}` : 'The port of the server';
	const stuck = { log, restartable: false };
	if (/assign/.test(cause))
		return diagnosis('port', 'The address in server-ip does not belong to this machine.', {
			...stuck,
			advice: 'Leave server-ip in server.properties empty, or correct it.'
		});
	if (/denied/i.test(cause))
		return diagnosis('port', `${name} may not be used by this user.`, {
			...stuck,
			advice: 'Choose a server-port from 1024 on in server.properties.'
		});
	return diagnosis('port', `${name} is already in use, so the server could not start.`, {
		...stuck,
		advice:
			'Stop the program that uses it, often a server that still runs, or change server-port in server.properties.'
	});
}

const diskFull: Rule = ({ all }) => {
	const hit = find(all, /No space left on device|There is not enough space on the disk/, isSerious);
	return (
		hit &&
		diagnosis('unknown', 'The disk is full.', {
			log: excerpt([hit], 0),
			advice: 'Make room (old backups, logs, crash reports), then start the server again.',
			restartable: false
		})
	);
};

const denied: Rule = ({ early }) => {
	const hit = find(early, /AccessDeniedException: (\S{1,200})/, isFailure);
	return (
		hit &&
		diagnosis('unknown', `The server may not read or write ${hit.match[1]}.`, {
			log: excerpt([hit], 0),
			advice: 'Give the user that runs the server access to its whole folder, then start again.',
			restartable: false
		})
	);
};

const cannotLaunch: Rule = ({ early }) => {
	const hit = find(
		early,
		/^(?:Error: (?:Unable to access jarfile|Invalid or corrupt jarfile|Could not find or load main class|could not open) |The Minecraft server \.JAR is missing |no main manifest attribute, in )[(`]?(.{1,200}?)[)']?!?$/,
		isFailure
	);
	return (
		hit &&
		diagnosis(
			'unknown',
			`Java could not start the server: ${hit.match[1]} is missing or damaged.`,
			{
				log: excerpt([hit], 1),
				advice: 'Put the server’s files back, run its installer again, or correct SERVER_COMMAND.',
				restartable: false
			}
		)
	);
};

export const startRules: Rule[] = [eula, worldLocked, port, diskFull, denied, cannotLaunch];

import type { Attention } from '../../schemas/attention.ts';
import type { Role } from '../../schemas/common.ts';
import type { ServerState } from '../../schemas/status.ts';
import type { Diagnosis } from '../minecraft/diagnosis.ts';
import type { Installation } from '../minecraft/installation.ts';
import type { Setup } from './setup.ts';

type Deps = {
	installation: () => Promise<Installation>;
	observe: () => Promise<{
		state: ServerState;
		reason: string | null;
		diagnosis: Diagnosis | null;
	}>;
	setup: Pick<Setup, 'rconLines' | 'queued'>;
	asRoot: boolean;
	demo: boolean;
	/** What backups have to say. */
	concerns: () => Promise<Pick<Attention, 'code' | 'title' | 'detail' | 'advice'>[]>;
};

type Item = Pick<Attention, 'code' | 'title' | 'detail'> & Partial<Attention>;
const item = (facts: Item): Attention => ({ advice: null, lines: [], action: null, ...facts });

/** What wants a person, most urgent first; secrets only for those who may have them. */
export function createAttention({ installation, observe, setup, asRoot, demo, concerns }: Deps) {
	return async (viewer: Role): Promise<Attention[]> => {
		const [{ state, reason, diagnosis }, found] = await Promise.all([observe(), installation()]);
		const items: Attention[] = [];

		if (state === 'crashed')
			items.push(
				item({
					code: 'crashed',
					title: 'The server crashed',
					detail: reason ?? diagnosis?.message ?? 'It ended without being asked to.',
					advice: diagnosis?.advice ?? null,
					lines: diagnosis?.log ?? []
				})
			);
		if (state === 'unknown')
			items.push(
				item({
					code: 'unknown',
					title: 'The server does not answer',
					detail: reason ?? 'Its state cannot be told.',
					advice:
						'Wait a little: a long lag ends by itself. If it stays so, a superadmin can kill it.'
				})
			);
		items.push(...(await concerns()).map(item));
		if (found.problem)
			items.push(
				item({
					code: found.command ? 'folder' : 'no-command',
					title: found.command
						? 'Something in the server folder is odd'
						: 'No way to start the server',
					detail: found.problem
				})
			);
		if (!found.rcon.enabled) items.push(await rconOff(setup, viewer));
		if (asRoot && !demo)
			items.push(
				item({
					code: 'root',
					title: 'The dashboard runs as root',
					detail: 'Whoever finds a hole in it, or in a mod, owns the machine.',
					advice: 'Run it as the user that owns the server folder.'
				})
			);
		return items;
	};
}

async function rconOff(setup: Deps['setup'], viewer: Role): Promise<Attention> {
	if (await setup.queued())
		return item({
			code: 'rcon-queued',
			title: 'RCON is turned on at the next stop',
			detail:
				'server.properties is written when the server has stopped; RCON works from the start after that.'
		});
	const off = {
		code: 'rcon-off' as const,
		title: 'RCON is off',
		detail: 'Without it the dashboard cannot announce, count ticks or stop the server from inside.'
	};
	// The lines hold a password; who knows it can make himself operator.
	if (viewer !== 'superadmin') return item({ ...off, advice: 'A superadmin can turn it on.' });
	return item({
		...off,
		advice: 'Put these lines into server.properties while the server is stopped.',
		lines: setup.rconLines(),
		action: 'enableRcon'
	});
}

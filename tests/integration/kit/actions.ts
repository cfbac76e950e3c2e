import type { Operation } from '#schemas/operation';
import type { Status } from '#schemas/status';
import { eventually, type Visitor } from '../../harness.ts';

export const status = async (visitor: Visitor): Promise<Status> =>
	(await visitor.json('/api/status')).body;

export const reaches = (visitor: Visitor, state: Status['state'], limitMs?: number) =>
	eventually(
		() => status(visitor),
		(now) => now.state === state,
		limitMs
	);

export const operation = async (visitor: Visitor, id: string): Promise<Operation> =>
	(await visitor.json(`/api/operations/${id}`)).body.operation;

export const ended = (visitor: Visitor, id: string, limitMs?: number) =>
	eventually(
		() => operation(visitor, id),
		({ state }) => state !== 'running',
		limitMs
	);

/** Requests it and waits for the end of its operation. */
export async function power(visitor: Visitor, action: 'start' | 'stop' | 'restart', body = {}) {
	return ended(visitor, await begin(visitor, action, body));
}

/** Requests it; returns the operation's id. */
export async function begin(visitor: Visitor, action: 'start' | 'stop' | 'restart', body = {}) {
	const answer = await visitor.json(`/api/server/${action}`, body);
	if (answer.status !== 202) throw new Error(`${answer.status}: ${answer.body.detail}`);
	return answer.body.operation.id as string;
}

import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';
import { z } from 'zod';
import type { StateFile } from '#storage/state-file';

/** `DATA_DIR/notifications/vapid.json`, for its owner only: with other keys no subscription works any more. */
export const VapidFile = z.object({
	keys: z
		.object({ x: z.string(), y: z.string(), d: z.string() })
		.describe('A key pair of P-256, as in a JWK')
		.nullable()
});
export type VapidFile = z.infer<typeof VapidFile>;
export const NO_VAPID: VapidFile = { keys: null };

/** Says to push services who sends: RFC 8292. */
export interface Vapid {
	/** What browsers subscribe with: base64url. Made when it is asked for the first time. */
	publicKey(): Promise<string>;
	/** The header `Authorization` for this address; `contact` is a mailto or an https address. */
	authorization(endpoint: URL, nowS: number, contact: string): Promise<string>;
}

/** A service may refuse more than 24 hours. */
const VALID_S = 12 * 3600;

export function createVapid(file: StateFile<VapidFile>): Vapid {
	const pair = async () => {
		const known = (await file.read()).keys;
		if (known) return known;
		const { keys } = await file.update(({ keys: made }) => ({ keys: made ?? newPair() }));
		return keys!;
	};
	const publicKey = async () => {
		const { x, y } = await pair();
		const parts = [Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')];
		return Buffer.concat(parts).toString('base64url');
	};
	return {
		publicKey,
		async authorization({ origin }, nowS, contact) {
			const key = createPrivateKey({
				format: 'jwk',
				key: { kty: 'EC', crv: 'P-256', ...(await pair()) }
			});
			const claims = { aud: origin, exp: nowS + VALID_S, sub: contact };
			const text = `${part({ typ: 'JWT', alg: 'ES256' })}.${part(claims)}`;
			const signature = sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' });
			return `vapid t=${text}.${signature.toString('base64url')}, k=${await publicKey()}`;
		}
	};
}

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

function newPair() {
	const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
	const { x = '', y = '', d = '' } = privateKey.export({ format: 'jwk' });
	return { x, y, d };
}

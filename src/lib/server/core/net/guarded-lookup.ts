import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { AppError } from '../errors.ts';
import { isPublicAddress } from './public-address.ts';

type Callback = (error: Error | null, found: LookupAddress[]) => void;
/** `dns.lookup` with `all`. */
export type Lookup = (hostname: string, options: { all: true }, callback: Callback) => void;

/**
 * Checks the address in the very look-up that the connection uses, so a name that resolves differently a moment later
 * gains nothing. A literal address is never looked up: `requirePublic` is for those.
 */
export const guardedLookup =
	(lookup: Lookup, anyAddress: boolean): LookupFunction =>
	(hostname, { all }, callback) =>
		lookup(hostname, { all: true }, (error, found) => {
			const open = anyAddress ? found : found?.filter(({ address }) => isPublicAddress(address));
			const first = open?.[0];
			const failure = error ?? (first ? null : addressRefused(hostname));
			if (all) callback(failure, open ?? []);
			else callback(failure, first?.address ?? '', first?.family);
		});

/** Throws for a literal address inside this machine or its network. */
export function requirePublic(host: string) {
	if (isIP(host) && !isPublicAddress(host)) throw addressRefused(host);
}

const addressRefused = (host: string) =>
	new AppError(
		'upstream',
		`${host} leads to an address inside this machine or its network. Nothing was requested from there.`,
		{ code: 'address-refused' }
	);

import { AppError, type Code } from '#core/errors';
import type { Rule } from '#core/net';

/** Where the registry's files lie; packs may name these hosts, too. */
const FILE_HOSTS = new Set([
	'cdn.modrinth.com',
	'cdn-raw.modrinth.com',
	'github.com',
	'raw.githubusercontent.com',
	'gitlab.com'
]);
/** `github.com` answers each release file with a redirect to one of these. */
const REDIRECT_HOSTS = new Set([
	'objects.githubusercontent.com',
	'release-assets.githubusercontent.com'
]);
const PUBLIC_REGISTRIES = new Set(['https://api.modrinth.com', 'https://staging-api.modrinth.com']);

const refuse = (url: URL, code: Code = 'address-refused') =>
	new AppError(
		'upstream',
		`The registry points to ${url.origin === 'null' ? url.protocol : url.origin}, and files are not downloaded from there. Nothing was changed.`,
		{ code }
	);

/** A mirror configured by hand may be anywhere, loopback included; the public one may not. */
const own = (base: URL) => ({ anyAddress: !PUBLIC_REGISTRIES.has(base.origin) });

const isOwn = (url: URL, base: URL) => url.origin === base.origin && !url.username && !url.password;

/** The API never leaves its own origin. */
export const apiRule =
	(base: URL): Rule =>
	(url) => {
		if (isOwn(url, base)) return own(base);
		throw refuse(url);
	};

/** Files come from the known hosts by https on its own port, or from the configured registry's origin. */
export const fileRule =
	(base: URL): Rule =>
	(url, hop) => {
		if (isOwn(url, base)) return own(base);
		const known = FILE_HOSTS.has(url.hostname) || (hop > 0 && REDIRECT_HOSTS.has(url.hostname));
		const plain = url.protocol === 'https:' && !url.port && !url.username && !url.password;
		if (known && plain) return { anyAddress: false };
		throw refuse(url);
	};

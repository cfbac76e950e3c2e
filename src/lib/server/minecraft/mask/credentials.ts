import type { Range } from './range.ts';

/** Nearly every line has none of these: the patterns below are only tried where one occurs. */
const HINT =
	/[/\\.&7](?:login|register|unregister|changep|setp|resetp)|\/(?:l|log|reg|unreg|2fa|totp|otp|auth|account|authme|nlogin|openlogin)[ \t]|:(?:l|log|login|reg|register|unreg|unregister|changep\w{1,8}|setp\w{1,8}|resetp\w{1,8})[ \t]|pass|token|secret|key|eyJ|:\/\/|session|bearer|webhooks/i;

/** Each begins with what stays visible, in group 1; all the rest of the match is hidden. Never across lines. */
const CREDENTIALS = [
	// The commands of log-in mods and plugins, with everything after them. In chat people mistype the slash.
	/((?<!\w)(?:[/\\]{1,3}|[.&7])(?:[a-z0-9_-]{1,32}:)?(?:login|register|unregister|(?:change|set|reset)(?:password|pass|pw))[ \t]+)[^\n]+/gi,
	/((?<!\w)\/{1,2}(?:[a-z0-9_-]{1,32}:)?(?:l|log|reg|unreg|2fa|totp|otp|auth|account|authme|nlogin|openlogin)[ \t]+)[^\n]+/gi,
	// `rcon.password=x`, `"apiKey": "x"`, `--accessToken, x`.
	/((?:password|passwd|passphrase|secret|token|api[_-]?key|private[_-]?key)["']?(?:[ \t]{0,3}[=:][ \t]{0,3}|(?<=(?<![\w-])--?[a-z-]{0,24}["']?)[, \t]{1,3})["']?)[^\s"',;)\]}]{1,4096}/gi,
	/(\bsession id is )[^\s)]{1,4096}/gi,
	// A signed token is recognised by its first part.
	/((?<![\w-]))eyJ[\w-]{8,4096}(?:\.[\w-]{0,4096}){1,4}/g,
	/(\bBearer[ \t]{1,3})[^\s"',;]{1,4096}/gi,
	/(:\/\/)[^\s/@:]{0,256}:[^\s/@]{1,256}(?=@)/g,
	/(\/api\/webhooks\/\d{1,24}\/)[\w-]{1,256}/gi
];

/** Adds what is recognised as a secret by the words before it or by its form. */
export function credentialRanges(text: string, ranges: Range[]) {
	if (!HINT.test(text)) return;
	for (const pattern of CREDENTIALS) {
		for (const match of text.matchAll(pattern))
			ranges.push([match.index + match[1]!.length, match.index + match[0].length]);
	}
}

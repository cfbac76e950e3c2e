const SYSTEMS: [RegExp, string][] = [
	[/iPhone/, 'iPhone'],
	[/iPad/, 'iPad'],
	[/Android/, 'Android'],
	[/Windows/, 'Windows'],
	[/Mac OS X|Macintosh/, 'Mac'],
	[/CrOS/, 'ChromeOS'],
	[/Linux/, 'Linux']
];
/** Each of them names those below it too. */
const BROWSERS: [RegExp, string][] = [
	[/Edg(e|A|iOS)?\//, 'Edge'],
	[/OPR\//, 'Opera'],
	[/SamsungBrowser\//, 'Samsung Internet'],
	[/Firefox\/|FxiOS\//, 'Firefox'],
	[/Chrome\/|CriOS\//, 'Chrome'],
	[/Safari\//, 'Safari']
];

const first = (list: [RegExp, string][], text: string) =>
	list.find(([pattern]) => pattern.test(text))?.[1];

/** “Firefox on Android”: from the `User-Agent` header, only for people to tell their devices apart. */
export function deviceName(userAgent: string | null): string {
	const text = userAgent ?? '';
	const system = first(SYSTEMS, text);
	const browser = first(BROWSERS, text) ?? 'A browser';
	return system ? `${browser} on ${system}` : browser;
}

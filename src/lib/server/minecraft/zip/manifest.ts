/** The main section of a jar's manifest; a line that begins with a space continues the one before. */
export function readManifest(bytes: Buffer | undefined): Map<string, string> {
	const text = (bytes?.toString('utf8') ?? '').replace(/\r\n?/g, '\n').replaceAll('\n ', '');
	const main = text.split('\n\n', 1)[0]!;
	return new Map(
		main.split('\n').map((line) => {
			const colon = line.indexOf(': ');
			return [line.slice(0, Math.max(0, colon)), line.slice(colon + 2).trim()];
		})
	);
}

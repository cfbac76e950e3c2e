/** Prometheus text format 0.0.4: `text/plain; version=0.0.4`. */

export type Labels = Record<string, string>;
/** A value that is not known is null, and then the sample is left out. */
export type Point = { labels?: Labels; value: number | null };
export type Family = { name: string; type: 'gauge' | 'counter'; help: string; points: Point[] };

/** Families without a known value are left out as a whole. */
export const toText = (families: Family[]): string => families.map(familyText).join('');

function familyText({ name, type, help, points }: Family): string {
	const lines = points.flatMap(({ labels = {}, value }) =>
		value === null || Number.isNaN(value) ? [] : [`${name}${labelText(labels)} ${value}\n`]
	);
	if (!lines.length) return '';
	return `# HELP ${name} ${escaped(help)}\n# TYPE ${name} ${type}\n${lines.join('')}`;
}

function labelText(labels: Labels): string {
	const pairs = Object.entries(labels).map(
		([name, value]) => `${name}="${escaped(value).replaceAll('"', '\\"')}"`
	);
	return pairs.length ? `{${pairs.join(',')}}` : '';
}

const escaped = (text: string) =>
	text.toWellFormed().replaceAll('\\', '\\\\').replaceAll('\n', '\\n');

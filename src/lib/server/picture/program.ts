/**
 * Runs as a process of its own: draws the card of its one argument (JSON) and writes the PNG to standard output. The
 * hundred megabytes that drawing takes go with it, and so does whatever could go wrong.
 */
import './offline.ts';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { card, HEIGHT, WIDTH, type CardFacts } from './card.ts';
import { readFont } from './font.ts';

const { ImageResponse } = await import('@vercel/og');
const beside = new URL('./Geist-Regular.ttf', import.meta.resolve('@vercel/og'));
const [regular, bold] = await Promise.all(
	[beside, new URL('./Geist-SemiBold.ttf', import.meta.url)].map((file) =>
		readFile(fileURLToPath(file))
	)
);
const facts = JSON.parse(process.argv[2] ?? 'null') as CardFacts | null;
const drawn = new ImageResponse(card(facts, readFont(bold!)) as never, {
	width: WIDTH,
	height: HEIGHT,
	fonts: [
		{ name: 'Geist', data: regular!, weight: 400, style: 'normal' },
		{ name: 'Geist', data: bold!, weight: 600, style: 'normal' }
	]
});
process.stdout.write(await drawn.bytes());

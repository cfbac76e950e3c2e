/**
 * Runs as a process of its own: draws the card of its one argument (JSON) and writes the PNG to standard output. The
 * hundred megabytes that drawing takes end with it, and so does anything that goes wrong.
 */
import './offline.ts';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { card, HEIGHT, WIDTH, type CardFacts } from './card.ts';
import { readFont } from './font.ts';

const { ImageResponse } = await import('@vercel/og');
const font = await readFile(fileURLToPath(new URL('./Geist-SemiBold.ttf', import.meta.url)));
const facts = JSON.parse(process.argv[2] ?? 'null') as CardFacts | null;
const drawn = new ImageResponse(card(facts, readFont(font)) as never, {
	width: WIDTH,
	height: HEIGHT,
	// A single weight: the library takes some 20 ms to read the tables of each font.
	fonts: [{ name: 'Geist', data: font, weight: 600, style: 'normal' }]
});
process.stdout.write(await drawn.bytes());

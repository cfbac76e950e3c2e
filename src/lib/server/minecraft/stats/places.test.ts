import { expect, test } from 'vitest';
import { readPlaces } from './places.ts';

const ANNE = '0228dc88-9371-4061-b8e1-1c14fe7a7da0';
const BEN = 'd2dd74d9-5422-47e6-bbc2-f992d586284e';
const ids = (uuid: string) =>
	uuid
		.replaceAll('-', '')
		.match(/.{8}/g)!
		.map((part) => Number.parseInt(part, 16) | 0)
		.join(', ');
const says = (name: string, uuid: string) =>
	`${name} has the following entity data: [I; ${ids(uuid)}]`;

const server =
	(nether: string, end = '') =>
	async (line: string) =>
		line.includes('the_nether') ? nether : end;

test('players are found in their dimension, however their names are shown', async () => {
	const answer = says('[VIP] Anne', ANNE) + says('Ghost', '00000000-0000-0000-0009-01fdd5f6dc74');
	expect(await readPlaces(server(answer, 'No entity was found'), [ANNE, BEN])).toEqual([
		{ uuid: ANNE, dimension: 'minecraft:the_nether' },
		{ uuid: BEN, dimension: 'minecraft:overworld' }
	]);
	expect(await readPlaces(server('', says('Ben', BEN)), [BEN])).toEqual([
		{ uuid: BEN, dimension: 'minecraft:the_end' }
	]);
});

test.each([
	'Unknown or incomplete command, see below for error',
	'Unknown command. Type "/help" for help.'
])('a server that does not tell is not guessed about: %s', async (answer) => {
	expect(await readPlaces(server(answer), [ANNE])).toBeNull();
});

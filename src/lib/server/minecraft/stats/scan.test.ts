import { expect, test } from 'vitest';
import { SCAN_ROOM, scanStats } from './scan.ts';
import { readStats } from './stats.ts';

function scan(text: string | Buffer) {
	const bytes = Buffer.from(text);
	// What an earlier file has left behind in the buffer is none of this one's.
	return scanStats(Buffer.concat([bytes, Buffer.from('123"}'.slice(0, SCAN_ROOM))]), bytes.length);
}
const parsed = (text: string) => {
	try {
		return readStats(JSON.parse(text));
	} catch {
		return null;
	}
};
const custom = (ids: string) => `{"stats":{"minecraft:custom":{${ids}}},"DataVersion":3955}`;

test.each([
	'{"stats":{},"DataVersion":3955}',
	'{"DataVersion":3955,"stats":{"minecraft:mined":{}}}',
	'{"stats":{"minecraft:mined":{"minecraft:stone":5,"minecraft:air":7}}}',
	' {\n\t"stats" : {"minecraft:mined": { "minecraft:stone" : 5 ,\r\n"mod:ore/deep.x":6}\n} } \n',
	custom('"minecraft:play_one_minute":9,"minecraft:play_time":0,"minecraft:fall_one_cm":3'),
	custom('"minecraft:play_time":8,"minecraft:play_one_minute":9,"mod:_one_cm":1,"mod:x_two_cm":5'),
	'{"stats":{"minecraft:mined":{"m:a":2147483647,"m:b":2147483648,"m:c":9999999999,"m:d":0}}}',
	'{"stats":{"mod:oiled":{"mod:gear":1},"minecraft:killed":{"mod:b":1,"mod:a":1,"mod:c":1}}}'
])('what the game writes is read without a parser: %j', (text) => {
	expect(scan(text)).toEqual(parsed(text));
	expect(scan(text)).not.toBeNull();
});

test.each([
	'',
	'{',
	'{}',
	'{"stats":{"minecraft:mined":{"m:a":1}}',
	'{"stats":{"minecraft:mined":{"m:a":1}}}x',
	'{"stats":{"minecraft:mined":{"m:a":1,}}}',
	'{"stats":{"minecraft:mined":{"m:a":1 2}}}',
	'{"stats":{"minecraft:mined":{"m:a":01}}}',
	'{"stats":{"minecraft:mined":{"m:a":-1}}}',
	'{"stats":{"minecraft:mined":{"m:a":1.5}}}',
	'{"stats":{"minecraft:mined":{"m:a":1e3}}}',
	'{"stats":{"minecraft:mined":{"m:a":12345678901}}}',
	'{"stats":{"minecraft:mined":{"m:a":"1"}}}',
	'{"stats":{"minecraft:mined":{"m:a":1,"m:a":2}}}',
	'{"stats":{"minecraft:mined":{"m:a":1},"minecraft:mined":{"m:a":2}}}',
	'{"stats":{"minecraft:mined":{"m:a":1}},"stats":{}}',
	'{"stats":{"minecraft:mined":{"m\\u003aa":1}}}',
	'{"stats":{"minecraft:mined":{"m:ä":1}}}',
	'{"stats":{"minecraft:mined":{"m:<b>":1}}}',
	'{"stats":{"minecraft:mined":7}}',
	'{"stats":[]}',
	'{"stats":{"custom":{"play_time":9}}}',
	'{"stats":{"mod:oiled":{"mod:gear":1}}}',
	'{"stat.deaths":5}',
	'\ufeff{"stats":{}}',
	'\0'.repeat(40),
	'['.repeat(5_000),
	'{"a":'.repeat(5_000)
])('anything unusual is left to the parser: %j', (text) => {
	expect(scan(text)).toBeNull();
});

test('for files of all kinds it agrees with the parser, or returns nothing', () => {
	const next = random(7);
	const pick = <T>(from: readonly T[]) => from[next() % from.length]!;
	const id = () => pick(['minecraft:stone', 'minecraft:air', `mod:a${next() % 9}`, 'x', 'm:\\n']);
	const value = () => pick([next() % 9, next() % 9, 2 ** 31, '1.5', '-2', '""', '1e400']);
	const types = ['mined', 'used', 'crafted', 'picked_up', 'killed', 'custom', 'dropped'];
	const ids = (own: () => string) =>
		Array.from({ length: next() % 12 }, () => `"${own()}":${value()}`).join(',');
	const names = ['play_time', 'play_one_minute', 'deaths', 'fly_one_cm', 'swim_one_cm'];
	let read = 0;
	for (let i = 0; i < 3_000; i++) {
		const parts = Array.from({ length: next() % 4 }, () => {
			const type = pick(types);
			const own = type === 'custom' ? () => `minecraft:${pick(names)}` : id;
			return `"minecraft:${type}":{${ids(own)}}`;
		});
		const text = `{"stats":{${parts.join(',')}},"DataVersion":${next() % 5_000}}`;
		const torn = next() % 5 === 0 ? text.slice(0, next() % text.length) : text;
		const stats = scan(torn);
		if (stats) read++;
		expect(stats ?? parsed(torn), torn).toEqual(parsed(torn));
	}
	expect(read).toBeGreaterThan(100);
});

/** The same every time. */
function random(seed: number) {
	let state = seed;
	return () => (state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 1) >>> 8;
}

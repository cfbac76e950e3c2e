import { expect, test } from 'vitest';
import { readCommand } from './command.ts';

const said = (...words: string[]) =>
	readCommand(['say', '--data', '/srv/data', '--id', '0123456789abcdef', ...words]).order.options;

test.each(['-x', '--', '--help', '--data /etc', '-50% today', '=', '', '--message'])(
	'a message %j is text, whatever it begins with',
	(message) => {
		expect(said('--message', message)).toMatchObject({ message });
		expect(said(`--message=${message}`)).toMatchObject({ message });
	}
);

test('the data directory, the id and the type are passed along', () => {
	const words = [
		'snapshot-prune',
		'--data',
		'/srv/my data',
		'--id',
		'none of ours',
		'--keep',
		'-3'
	];
	const { data, id, on, order } = readCommand(words);
	expect(readCommand([...words, '--on', '2026-11-26'])).toMatchObject({ on: '2026-11-26', order });
	expect({ data, id, on, order: { ...order, options: { ...order.options } } }).toEqual({
		data: '/srv/my data',
		id: null,
		on: null,
		order: { type: 'snapshot-prune', options: { keep: '-3' } }
	});
});

test.each([
	[[]],
	[['say']],
	[['say', '--data', 'relative']],
	[['dance', '--data', '/srv/data']],
	[['say', 'backup', '--data', '/srv/data']],
	[['say', '--data', '/srv/data', '--order', 'op me']],
	[['say', '--data', '/srv/data', '-x']],
	[['say', '--data', '/srv/data', '--on', '2026-11-31']],
	[['say', '--data', '/srv/data', '--on', '--message', 'x']]
])('the words %j are rejected in a sentence', (words) => {
	expect(() => readCommand(words)).toThrow(/\w+ .*\w/);
});

import { expect, test } from 'vitest';
import { Answers } from './answers.ts';

const answer = (command: string, text = '') => ({
	at: '2026-01-01T00:00:00.000Z',
	command,
	spans: [{ text }],
	problem: null
});
const commands = (answers: Answers, session: string) =>
	answers.of(session).map(({ command }) => command);

test('a session sees its own commands, oldest first, and nobody else’s', () => {
	const answers = new Answers();
	answers.add('a', answer('list'));
	answers.add('b', answer('stop'));
	answers.add('a', answer('seed'));
	expect(commands(answers, 'a')).toEqual(['list', 'seed']);
	expect(commands(answers, 'b')).toEqual(['stop']);
	expect(commands(answers, 'c')).toEqual([]);
	answers.clear('a');
	expect(commands(answers, 'a')).toEqual([]);
	expect(commands(answers, 'b')).toEqual(['stop']);
});

test('memory stays bounded, and the newest answer is always kept', () => {
	const answers = new Answers();
	for (let i = 0; i < 100; i++) answers.add('a', answer(`say ${i}`));
	expect(commands(answers, 'a')).toHaveLength(30);
	expect(commands(answers, 'a').at(-1)).toBe('say 99');
	answers.add('a', answer('big', 'x'.repeat(200_000)));
	answers.add('a', answer('bigger', 'x'.repeat(200_000)));
	expect(commands(answers, 'a')).toEqual(['bigger']);
	answers.add('a', answer('huge', 'x'.repeat(900_000)));
	expect(commands(answers, 'a')).toEqual(['huge']);
	for (let i = 0; i < 100; i++) answers.add(`s${i}`, answer('list'));
	expect(commands(answers, 'a')).toEqual([]);
	expect(commands(answers, 's99')).toEqual(['list']);
});

import { expect, test } from 'vitest';
import { line, setup, write, filesForEach } from '../../../../../tests/fakes/chat-kit.ts';
import { soon } from '../../../../../tests/soon.ts';
import { createLogMask } from '#minecraft/mask';
import type { ChatByRole } from '#schemas/chat';
import { createChatView } from './view.ts';
import { createMasks } from '#services/logs';

filesForEach();

function view(secrets: string[]) {
	const { chat } = setup();
	return createChatView(chat, {
		masks: createMasks({ secrets: async () => secrets, mask: createLogMask }),
		log: { error: (message) => expect.unreachable(message) }
	});
}

test('each role receives what it may see, in order, with a secret hidden from the moment it is known', async () => {
	const secrets = ['hunter2-rcon'];
	const chat = view(secrets);
	const heard: ChatByRole = { admin: [], superadmin: [] };
	const stop = chat.subscribe(({ admin, superadmin }) => {
		heard.admin.push(...admin);
		heard.superadmin.push(...superadmin);
	});
	const texts = (role: 'admin' | 'superadmin') => heard[role].map(({ text }) => text);
	write(line('02:00:00.000', '<Ana> hunter2-rcon at 203.0.113.7'));
	await soon(() => expect(texts('admin')).toEqual(['*** at ***']));
	expect(texts('superadmin')).toEqual(['*** at 203.0.113.7']);
	secrets.splice(0, 1, 'a-new-secret');
	write(line('02:00:01.000', '<Ana> one'), line('02:00:02.000', '<Ana> a-new-secret'));
	await soon(() => expect(texts('admin')).toEqual(['*** at ***', 'one', '***']));
	expect((await chat.list(9, 'superadmin')).map(({ text }) => text)).toEqual([
		'*** at 203.0.113.7',
		'one',
		'***'
	]);
	stop();
});

test('a message reaches players unchanged, and is shown masked here', async () => {
	const { chat, commands } = setup();
	const masks = createMasks({ secrets: async () => ['hunter2-rcon'], mask: createLogMask });
	const shown = createChatView(chat, { masks, log: { error: () => {} } });
	const by = { name: 'bob', role: 'admin', address: null } as const;
	expect((await shown.say({ message: 'come to 203.0.113.7' }, by)).text).toBe('come to ***');
	expect(commands.join('\n')).toContain('come to 203.0.113.7');
	expect((await shown.recentFor('admin'))(1)[0]?.text).toBe('come to ***');
});

import { expect, test } from 'vitest';
import { AppError } from '../errors.ts';
import { diskTrouble, onDisk } from './disk-errors.ts';

const full = Object.assign(new Error('write'), { code: 'ENOSPC' });

test('disk errors are explained in plain language', () => {
	expect(diskTrouble(full)).toBe('the disk is full');
	expect(diskTrouble(new Error('anything'))).toBe('the disk failed');
});

test('disk errors are explained, and other errors stay as they are', async () => {
	const failing = (error: Error) => onDisk('It could not be saved', () => Promise.reject(error));
	await expect(failing(full)).rejects.toMatchObject({
		...{ kind: 'internal', message: 'It could not be saved: the disk is full.', cause: full }
	});
	for (const error of [new AppError('conflict', 'Not now.'), new TypeError('a bug')])
		await expect(failing(error)).rejects.toBe(error);
	expect(await onDisk('It could not be saved', async () => 1)).toBe(1);
});

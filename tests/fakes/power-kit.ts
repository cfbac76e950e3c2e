import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, expect } from 'vitest';
import { soon } from '../soon.ts';
import { ADA, createWorld, NOW, openSetup, type Setup, type World } from './power-setup.ts';
import type { Operation } from '#schemas/operation';

/** The world of the current test, in test files that call `worldForEach`. */
export let world: World;
/** Closes what is still open at the end of the test. */
export const setups: Setup[] = [];

/** Prepares a fresh world for each test of the calling file; nothing in it may fail unnoticed. */
export function worldForEach() {
	beforeEach(async () => {
		world = await createWorld();
	});
	afterEach(async () => {
		for (const setup of setups.splice(0)) await setup.close();
		expect(world.errors).toEqual([]);
		await world.dispose();
	});
}

export function open(options?: Parameters<typeof openSetup>[1]) {
	const setup = openSetup(world, options);
	setups.push(setup);
	return setup;
}

export async function started(setup = open()) {
	const operation = await setup.finished(await setup.power.start(NOW, ADA));
	expect(operation).toMatchObject({ state: 'succeeded' });
	return setup;
}

export async function byHand() {
	const child = spawn(world.game.java, ['-jar', 'server.jar'], {
		cwd: world.game.dir,
		stdio: 'ignore'
	});
	await once(child, 'spawn');
	return child;
}

export const steps = (operation: Operation) =>
	operation.steps.map(({ id, status }) => [id, status]);

export const reaches = (setup: Setup, state: string) =>
	soon(async () => expect(await setup.state()).toBe(state));

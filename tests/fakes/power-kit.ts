import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, expect } from 'vitest';
import { soon } from '../soon.ts';
import { ADA, createWorld, NOW, openSetup, type House, type World } from './power-setup.ts';
import type { Operation } from '#schemas/operation';

/** Of the test that runs: a fresh one for each, in which nothing may fail unnoticed. */
export let world: World;
/** What is still open at the test's end is closed. */
export const houses: House[] = [];
beforeEach(async () => {
	world = await createWorld();
});

afterEach(async () => {
	for (const house of houses.splice(0)) await house.close();
	expect(world.errors).toEqual([]);
	await world.dispose();
});

export function open() {
	const house = openSetup(world);
	houses.push(house);
	return house;
}

export async function started(house = open()) {
	const operation = await house.finished(await house.power.start(NOW, ADA));
	expect(operation).toMatchObject({ state: 'succeeded' });
	return house;
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

export const reaches = (house: House, state: string) =>
	soon(async () => expect(await house.state()).toBe(state));

// Runs one operation and prints how it went: `run-operation.ts <folder> <kind>`. Actions are recorded beside `data`.
import type { OperationKind } from '#schemas/operation';
import { drive } from './driver.ts';
import { defineKinds } from './kinds.ts';

const [, , dir, kind] = process.argv as [string, string, string, OperationKind];
const by = { name: 'ann', role: null, address: null };
await drive(dir, async ({ operations }) => {
	defineKinds(operations, dir);
	return operations.run(kind, {}, by);
});

// Tells of so many failed operations: `tell.ts <dir> <count>`. `sent` is what a service has, `told` what we answer for.
import { writeSync } from 'node:fs';
import { openNotices } from './notices.ts';

const [, , dir, count] = process.argv as [string, string, string, string];
const say = (line: string) => void writeSync(1, `${line}\n`);
const notices = await openNotices(dir, (channel, id) => say(`sent ${channel} ${id}`));
for (let n = 1; n <= Number(count); n++) {
	await notices.tell(n);
	say(`told ${n}`);
}
await notices.idle();
await notices.close();

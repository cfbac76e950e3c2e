// Records actions with small files and says which it could not: `append-audit.ts <folder> <count>`.
import { createAudit } from '#services/audit';
import { createSteadyClock } from './steady-clock.ts';

const [, , dir, count] = process.argv as [string, string, string, string];
const cries: string[] = [];
const quiet = () => {};
const log = { info: quiet, warn: quiet, error: (message: string) => void cries.push(message) };
const clock = createSteadyClock();
const audit = createAudit({ dir, clock, log, mask: (text) => text, fileMaxBytes: 400 });
for (let i = 0; i < Number(count); i++) {
	await audit.record({ name: 'ann', role: 'admin', address: null }, 'chat.say', {
		subject: String(i)
	});
	// That entries are lost is told once; the audit itself says for how long.
	console.log(cries.splice(0).length > 0 || audit.outage ? 'cried' : 'recorded', i);
}

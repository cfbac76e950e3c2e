// Searches for the culprit in a folder and says how that went: `search-culprit.ts <folder>`. Exits when it takes too long.
import { culpritsAt } from './culprit-desk.ts';
import { drive } from './driver.ts';

const dir = process.argv[2]!;
const by = { name: 'ann', role: 'admin', address: null } as const;
await drive(dir, async (runner) => culpritsAt(dir, runner).start({ scope: 'all' }, by));

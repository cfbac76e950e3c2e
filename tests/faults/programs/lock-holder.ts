// Takes the lock given as argument, says `held` or `busy`, and keeps it until it is killed or its input ends.
import { systemClock } from '../../../src/lib/server/core/clock.ts';
import { createLock } from '../../../src/lib/server/core/lock.ts';

const lock = createLock(process.argv[2]!, systemClock);
console.log(lock.tryAcquire() ? 'held' : 'busy');
process.stdin.resume();

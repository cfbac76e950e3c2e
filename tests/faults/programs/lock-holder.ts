// Takes the lock given as argument, says `held` or `busy`, and keeps it until it is killed or its input ends.
import { systemClock } from '#core/clock';
import { createLock } from '#core/lock';

const lock = createLock(process.argv[2]!, systemClock);
console.log(lock.tryAcquire() ? 'held' : 'busy');
process.stdin.resume();

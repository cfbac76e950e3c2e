// Works for half of each tick and tells its parent how long each one took in all: `ticking.ts <ms of a tick>`.
const tickMs = Number(process.argv[2]);
let due = performance.now();
/** CPU time: a tick needs it whole, however long it has to wait for it. */
const usedMs = () => {
	const { user, system } = process.cpuUsage();
	return (user + system) / 1000;
};

function tick() {
	const began = due;
	const busyUntil = usedMs() + tickMs / 2;
	while (usedMs() < busyUntil) for (let i = 0; i < 500_000; i++) Math.sqrt(i);
	const now = performance.now();
	process.send?.(now - began);
	due = Math.max(due + tickMs, now);
	setTimeout(tick, due - now);
}
tick();
process.once('disconnect', () => process.exit(0));

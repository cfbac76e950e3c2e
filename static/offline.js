// Asks whether the dashboard answers again, less and less often, and then opens the page that was wanted.
const LONGEST_MS = 15_000;
let waitMs = 1_500;
let timer = 0;

async function look() {
	clearTimeout(timer);
	const answer = await fetch('/healthz', {
		cache: 'no-store',
		signal: AbortSignal.timeout(5_000)
	}).catch(() => null);
	if (answer?.ok) return location.reload();
	later();
}
function later() {
	clearTimeout(timer);
	timer = setTimeout(look, waitMs);
	waitMs = Math.min(waitMs * 1.5, LONGEST_MS);
}

addEventListener('online', look);
document.addEventListener('visibilitychange', () => {
	if (!document.hidden) void look();
});
later();

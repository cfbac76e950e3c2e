// Draws one picture after a build, so that the library is compiled by the time that somebody wants the first one.
import { createPainter } from '#picture';

const painter = createPainter({ cacheDir: 'node_modules/.cache/picture' });
const facts = {
	name: 'Castle',
	state: 'running',
	address: 'play.example.org',
	version: '1.21.1',
	players: { online: 3, max: 20 }
} as const;
await painter.draw(facts).catch((cause: unknown) => {
	console.warn(
		'The preview picture cannot be drawn here; the one without a state is shown.',
		cause
	);
});

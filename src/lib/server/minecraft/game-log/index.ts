export { createRecogniser } from './events.ts';
export { createGameLog, type GameEvent, type GameLog, type PlayerOnline } from './game-log.ts';
export { createPresence } from './presence.ts';

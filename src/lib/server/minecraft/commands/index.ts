export {
	parseTickQuery,
	parseList,
	type TickReport,
	type ListedPlayer,
	type PlayerList
} from './answers.ts';
export { parseHelp } from './help.ts';
export {
	playerCommands,
	type PlayerCommand,
	type PlayerCommands,
	type Verdict
} from './player-commands.ts';

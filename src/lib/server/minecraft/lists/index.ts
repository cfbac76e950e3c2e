export {
	createPlayerLists,
	type ListName,
	type ListChange,
	type Listed,
	type NewEntry,
	type Profile,
	type PlayerFiles,
	type PlayerLists
} from './lists.ts';
export { sameName } from './profiles.ts';

export { foldName } from './names.ts';
export {
	looksLikePhc,
	parsePhc,
	createHashQueue,
	decoyOf,
	hashPassword,
	recipeOf,
	verifyPassword,
	type HashQueue,
	type Phc
} from './password.ts';

export { createStatsFolder, type PlayerFiles, type StatsFolder } from './folder.ts';
export { readPlaces } from './places.ts';

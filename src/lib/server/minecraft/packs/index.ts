export { folderFiles, zipFiles, type LeftOut, type PackFile, type PackFiles } from './files.ts';
export type { Pack, PackDownload, PackPut } from './pack.ts';
export { readPack } from './read.ts';

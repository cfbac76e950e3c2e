export { readManifest } from './manifest.ts';
export {
	bufferSource,
	fileSource,
	openZip,
	readZipEntries,
	type NoZip,
	type Unreadable,
	type Zip
} from './zip.ts';

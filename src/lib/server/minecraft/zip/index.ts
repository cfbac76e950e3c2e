export { readManifest } from './manifest.ts';
export {
	bufferSource,
	fileSource,
	openZip,
	readZipEntries,
	type NoZip,
	type Unreadable,
	type Zip,
	type ZipListed
} from './zip.ts';

export { plainAddress, addressPrefix } from './address.ts';
export { createApi, parseJson, type Api, type Trouble } from './api.ts';
export { ENCODINGS, readBody } from './body.ts';
export { disposition } from './disposition.ts';
export { download, type DownloadDeps, type DownloadOptions, type RemoteFile } from './download.ts';
export {
	BadAnswer,
	explain,
	isOutage,
	PausedFailure,
	StatusFailure,
	type Peer
} from './failures.ts';
export { follow, type Rule } from './follow.ts';
export { freePortFrom } from './free-port.ts';
export { IDLE_MS, watch } from './limits.ts';
export { isPublicAddress } from './public-address.ts';
export { createRateLimit } from './rate-limit.ts';
export { retried } from './retry.ts';
export { safePath } from './safe-path.ts';
export { silentPeers } from './silent-peers.ts';
export { guardedLookup, requirePublic, type Lookup } from './guarded-lookup.ts';
export { createTransport, type Ask, type Transport } from './transport.ts';

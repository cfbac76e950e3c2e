export { plainAddress, addressPrefix } from './address.ts';
export { disposition } from './disposition.ts';
export { isPublicAddress } from './public-address.ts';
export { safePath } from './safe-path.ts';
export { silentPeers } from './silent-peers.ts';
export { createTransport, type Ask, type Lookup, type Transport } from './transport.ts';

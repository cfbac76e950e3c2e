export { plainAddress, addressPrefix } from './address.ts';
export { disposition } from './disposition.ts';
export { safePath } from './safe-path.ts';
export { silentPeers } from './silent-peers.ts';

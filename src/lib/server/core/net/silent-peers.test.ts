import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { silentPeers } from './silent-peers.ts';

const V4 = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:0BB8 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 11111 1 0000000000000000 100 0 0 10 0
   1: 0100007F:0BB8 0100007F:C001 01 00000000:00000000 00:00000000 00000000     0        0 11112 1 0000000000000000 20 4 30 10 -1
   2: 0A00000A:0BB8 0B00000A:C002 01 000001F4:00000000 01:00000F00 00000007     0        0 11113 2 0000000000000000 9000 4 30 1 7
   3: 0A00000A:0BB8 0C00000A:C003 01 000001F4:00000000 01:00000014 00000002     0        0 11114 2 0000000000000000 40 4 30 1 7
   4: 0A00000A:0BB8 0D00000A:C004 04 000001F4:00000000 01:00000F00 00000009     0        0 0 2 0000000000000000 9000 4 30 1 7
`;
const V6 = `  sl  local_address                         remote_address                        st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0000000000000000FFFF00000A00000A:0BB8 0000000000000000FFFF00000E00000A:C005 01 000001F4:00000000 01:00000F00 0000000A     0        0 11115 2 0000000000000000 9000 4 30 1 7
garbage
`;

test('finds the peers that have not answered several retransmissions, and only those', async () => {
	const dir = await mkdtemp(path.join(tmpdir(), 'peers-'));
	onTestFinished(() => rm(dir, { recursive: true }));
	const tables = [path.join(dir, 'tcp'), path.join(dir, 'tcp6'), path.join(dir, 'missing')];
	await writeFile(tables[0]!, V4);
	await writeFile(tables[1]!, V6);
	expect(await silentPeers(tables)).toEqual(new Set([0xc002, 0xc005]));
});

test("reads this machine's own tables without errors", async () => {
	expect(await silentPeers()).toBeInstanceOf(Set);
});

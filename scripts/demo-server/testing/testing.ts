import fs from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { Rcon } from 'rcon-client';
import { onTestFinished } from 'vitest';
import type { SeedOptions } from '../seed/seed.ts';
import type { Demo, DemoFolder } from './spawn-demo.ts';
import { makeDemoFolder, startDemo } from './spawn-demo.ts';

/** minecraft.md's one expression for a log line of any platform. */
export const LOG_LINE =
	/^\[(?:(?<date>\d{1,2}\S{2,12}?\d{4})\s+)?(?<time>\d{2}:\d{2}:\d{2})(?:\.(?<ms>\d{3}))?\] \[(?<thread>.*?)\/(?<level>TRACE|DEBUG|INFO|WARN|ERROR|FATAL|STDOUT|STDERR)\](?:: | \[(?<logger>[^\]]*)\]: | \((?<name>[^)]*)\) )(?<msg>.*)$/;

/** A folder that is removed after the test. */
export async function folderForTest(options?: SeedOptions): Promise<DemoFolder> {
	const folder = await makeDemoFolder(options);
	onTestFinished(() => fs.rm(folder.dir, { recursive: true, force: true }));
	return folder;
}

/** A server that is ended before its folder is removed. */
export function startForTest(folder: DemoFolder, env?: Record<string, string>): Demo {
	const demo = startDemo(folder, env);
	onTestFinished(() => demo.kill());
	return demo;
}

export const runDemo = async (env?: Record<string, string>) =>
	startForTest(await folderForTest(), env);

export async function readyDemo(env?: Record<string, string>): Promise<Demo> {
	const demo = await runDemo(env);
	await demo.line(/RCON running on/);
	return demo;
}

export async function connect(demo: DemoFolder, password = demo.password): Promise<Rcon> {
	const rcon = new Rcon({ host: '127.0.0.1', port: demo.rconPort, password, timeout: 10_000 });
	rcon.on('error', () => {});
	return rcon.connect();
}

/** rcon-client, closed after the test. */
export async function login(demo: DemoFolder, password?: string): Promise<Rcon> {
	const rcon = await connect(demo, password);
	onTestFinished(() => rcon.end().catch(() => {}));
	return rcon;
}

export const readJson = async (demo: DemoFolder, file: string): Promise<unknown> =>
	JSON.parse(await fs.readFile(path.join(demo.dir, file), 'utf8'));

export const readLog = (demo: DemoFolder) =>
	fs.readFile(path.join(demo.dir, 'logs', 'latest.log'), 'utf8');

/** The messages of latest.log or stdout without their prefixes; continuation lines as they are. */
export const messages = (text: string) =>
	text.split('\n').map((line) => LOG_LINE.exec(line)?.groups?.msg ?? line);

/** A bare connection: bytes in, bytes out, and whether the other side closed it. */
export async function rawSocket(port: number) {
	const socket = net.connect({ host: '127.0.0.1', port });
	let received = Buffer.alloc(0);
	socket.on('error', () => {});
	socket.on('data', (chunk) => (received = Buffer.concat([received, chunk])));
	const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
	await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
	onTestFinished(() => void socket.destroy());
	return {
		socket,
		closed,
		received: () => received,
		/** Waits until so many bytes have come in or the connection is closed. */
		async bytes(count: number) {
			while (received.length < count && !socket.destroyed)
				await Promise.race([new Promise((resolve) => socket.once('data', resolve)), closed]);
			return received;
		}
	};
}

export function rconPacket(id: number, type: number, payload: string): Buffer {
	const body = Buffer.from(payload);
	const packet = Buffer.alloc(body.length + 14);
	packet.writeInt32LE(body.length + 10, 0);
	packet.writeInt32LE(id, 4);
	packet.writeInt32LE(type, 8);
	body.copy(packet, 12);
	return packet;
}

export function parsePackets(bytes: Buffer): { id: number; type: number; payload: string }[] {
	const packets: { id: number; type: number; payload: string }[] = [];
	for (let at = 0; at + 4 <= bytes.length;) {
		const length = bytes.readInt32LE(at);
		if (at + 4 + length > bytes.length) break;
		packets.push({
			id: bytes.readInt32LE(at + 4),
			type: bytes.readInt32LE(at + 8),
			payload: bytes.toString('utf8', at + 12, at + 2 + length)
		});
		at += 4 + length;
	}
	return packets;
}

import fs from 'node:fs';
import { propertiesDate } from './java-time.ts';

/** Every key that 1.21.1 writes, with its default. */
export const DEFAULTS: Record<string, string> = {
	'accepts-transfers': 'false',
	'allow-flight': 'false',
	'allow-nether': 'true',
	'broadcast-console-to-ops': 'true',
	'broadcast-rcon-to-ops': 'true',
	'bug-report-link': '',
	difficulty: 'easy',
	'enable-command-block': 'false',
	'enable-jmx-monitoring': 'false',
	'enable-query': 'false',
	'enable-rcon': 'false',
	'enable-status': 'true',
	'enforce-secure-profile': 'true',
	'enforce-whitelist': 'false',
	'entity-broadcast-range-percentage': '100',
	'force-gamemode': 'false',
	'function-permission-level': '2',
	gamemode: 'survival',
	'generate-structures': 'true',
	'generator-settings': '{}',
	hardcore: 'false',
	'hide-online-players': 'false',
	'initial-disabled-packs': '',
	'initial-enabled-packs': 'vanilla',
	'level-name': 'world',
	'level-seed': '',
	'level-type': 'minecraft:normal',
	'log-ips': 'true',
	'max-chained-neighbor-updates': '1000000',
	'max-players': '20',
	'max-tick-time': '60000',
	'max-world-size': '29999984',
	motd: 'A Minecraft Server',
	'network-compression-threshold': '256',
	'online-mode': 'true',
	'op-permission-level': '4',
	'player-idle-timeout': '0',
	'prevent-proxy-connections': 'false',
	pvp: 'true',
	'query.port': '25565',
	'rate-limit': '0',
	'rcon.password': '',
	'rcon.port': '25575',
	'region-file-compression': 'deflate',
	'require-resource-pack': 'false',
	'resource-pack': '',
	'resource-pack-id': '',
	'resource-pack-prompt': '',
	'resource-pack-sha1': '',
	'server-ip': '',
	'server-port': '25565',
	'simulation-distance': '10',
	'spawn-animals': 'true',
	'spawn-monsters': 'true',
	'spawn-npcs': 'true',
	'spawn-protection': '16',
	'sync-chunk-writes': 'true',
	'text-filtering-config': '',
	'use-native-transport': 'true',
	'view-distance': '10',
	'white-list': 'false'
};

export interface ServerProperties {
	get(key: string): string;
	flag(key: string): boolean;
	number(key: string): number;
	/** Changes a key and rewrites the file, as the game does for `whitelist on`. */
	set(key: string, value: string): void;
}

/** Reads the file, adds the missing keys and writes it back whole, as each start of the game does. */
export function openProperties(file: string): ServerProperties {
	const values = { ...DEFAULTS, ...parse(read(file)) };
	const store = () => fs.writeFileSync(file, format(values));
	store();
	return {
		get: (key) => values[key] ?? '',
		flag: (key) => values[key]?.toLowerCase() === 'true',
		number(key) {
			const value = Number.parseInt(values[key] ?? '', 10);
			return Number.isNaN(value) ? Number(DEFAULTS[key] ?? 0) : value;
		},
		set(key, value) {
			values[key] = value;
			store();
		}
	};
}

/** UTF-8 since 1.20, Latin-1 when it is not. */
function read(file: string): string {
	if (!fs.existsSync(file)) return '';
	const bytes = fs.readFileSync(file);
	try {
		return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
	} catch {
		return bytes.toString('latin1');
	}
}

const ESCAPES: Record<string, string> = { t: '\t', n: '\n', r: '\r', f: '\f' };

function unescape(text: string): string {
	return text.replace(/\\(?:u([0-9a-fA-F]{4})|(.))/gs, (_, code?: string, char?: string) =>
		code ? String.fromCharCode(Number.parseInt(code, 16)) : (ESCAPES[char!] ?? char!)
	);
}

/** java.util.Properties: `key=value`, `key: value`, `key value`, comments, continued lines. */
export function parse(text: string): Record<string, string> {
	const values: Record<string, string> = {};
	const lines = text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/);
	for (let i = 0; i < lines.length; i++) {
		let line = lines[i]!.trimStart();
		if (line === '' || line.startsWith('#') || line.startsWith('!')) continue;
		while (/(?<!\\)(\\\\)*\\$/.test(line) && i + 1 < lines.length)
			line = line.slice(0, -1) + lines[++i]!.trimStart();
		const match = /^((?:\\.|[^\\\s=:])*)\s*[=:]?\s*(.*)$/s.exec(line)!;
		values[unescape(match[1]!)] = unescape(match[2]!);
	}
	return values;
}

/** What java.util.Properties writes, keys sorted. */
export function format(values: Record<string, string>): string {
	const escape = (text: string) =>
		text
			.replace(/[\\=:#!]/g, '\\$&')
			.replace(/^ /, '\\ ')
			.replace(/\n/g, '\\n')
			.replace(/\r/g, '\\r')
			.replace(/\t/g, '\\t');
	const lines = Object.keys(values)
		.sort()
		.map((key) => `${escape(key).replaceAll(' ', '\\ ')}=${escape(values[key]!)}`);
	const head = ['#Minecraft server properties', `#${propertiesDate(new Date())}`];
	return [...head, ...lines, ''].join('\n');
}

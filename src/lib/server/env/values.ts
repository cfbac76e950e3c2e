import { BlockList, isIP } from 'node:net';
import { z } from 'zod';
import { PASSWORD_MAX, USERNAME_MAX } from '#schemas/session';
import { foldName, looksLikePhc, parsePhc } from '#core/credentials';

/** What each variable may hold. A message ends the line that begins with the variable's name. */

const PASSWORD_MIN = 8;
const SECRET_MIN = 32;
/** Fewer different characters than this is a placeholder, not a secret. */
const SECRET_VARIETY = 8;
const WELL_KNOWN = new Set(
	(
		'password passwort password1 password123 changeme change-me change_me changeit changethis adminadmin ' +
		'administrator superadmin superuser minecraft craftwarden 12345678 123456789 1234567890 11111111 00000000 ' +
		'qwertyui qwertyuiop letmein123 secret123 iloveyou sunshine trustno1 yourpassword your-password default1'
	).split(' ')
);

/** Adds what `check` throws as the issue. */
const refused = (check: (text: string) => void) => (text: string, ctx: z.RefinementCtx<string>) => {
	try {
		check(text);
	} catch (error) {
		ctx.addIssue({ code: 'custom', message: error instanceof Error ? error.message : 'is wrong' });
	}
};
const line = (max: number) =>
	z
		.string()
		.max(max, `is longer than ${max} characters. Shorten it.`)
		.regex(/^\P{Cc}*$/u, 'holds control characters. Write it on one line.');
const whole = (min: number, max: number) =>
	z
		.string()
		.regex(/^\d{1,9}$/, `must be a whole number from ${min} to ${max}.`)
		.transform(Number)
		.refine((n) => n >= min && n <= max, `must be a whole number from ${min} to ${max}.`);

const username = line(USERNAME_MAX).regex(
	/^\P{C}+$/u,
	'holds invisible characters. Type it again.'
);

const password = z
	.string()
	.max(PASSWORD_MAX, `is longer than ${PASSWORD_MAX} characters. Choose a shorter one.`)
	.superRefine(
		refused((text) => {
			if (looksLikePhc(text)) return void parseHash(text);
			if ([...text].length < PASSWORD_MIN)
				throw new Error(`is shorter than ${PASSWORD_MIN} characters. Choose a longer one.`);
			if (WELL_KNOWN.has(foldName(text)) || new Set(text).size < 4)
				throw new Error('is one of the first that anybody would try. Choose another one.');
		})
	);

function parseHash(text: string) {
	try {
		parsePhc(text);
	} catch (error) {
		const why = error instanceof Error ? error.message : 'it is malformed';
		throw new Error(`looks like a hash, but ${why}. Create it again as .env.example shows.`, {
			cause: error
		});
	}
}

const secret = z.string().superRefine(
	refused((text) => {
		if (text.length < SECRET_MIN)
			throw new Error(
				`must have at least ${SECRET_MIN} characters. Remove the line and one is made for you.`
			);
		if (new Set(text).size < SECRET_VARIETY || /change.?(me|it|this)/i.test(text))
			throw new Error('is a placeholder. Remove the line and one is made for you.');
	})
);

const TOKEN_MIN = 16;
const token = z
	.string()
	.max(1000, 'is longer than 1000 characters. Shorten it.')
	.regex(/^[\w.~+/=-]*$/, 'may hold only letters, digits and - . _ ~ + / =.')
	.refine(
		(text) => text.length >= TOKEN_MIN && new Set(text).size >= SECRET_VARIETY,
		`must have at least ${TOKEN_MIN} characters, as openssl rand -hex 32 makes them.`
	);

const host = z
	.string()
	.transform((text) => text.replace(/^\[(.*)\]$/, '$1'))
	.refine(
		(text) => isIP(text) || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(text),
		'must be an address or a host name, e.g. 127.0.0.1.'
	);

const proxies = z.string().transform((text, ctx) => {
	const entries = text.split(/[\s,]+/).filter(Boolean);
	const known = new BlockList();
	for (const entry of entries) {
		const [address = '', bits, ...more] = entry.split('/');
		const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
		const fits = bits === undefined || /^\d{1,3}$/.test(bits);
		try {
			if (!isIP(address) || !fits || more.length) throw new Error('not an address');
			if (bits === undefined) known.addAddress(address, family);
			else known.addSubnet(address, Number(bits), family);
		} catch {
			ctx.addIssue({
				code: 'custom',
				message: `${JSON.stringify(entry.slice(0, 60))} is neither an address nor a range. Write e.g. 127.0.0.1, 10.0.0.0/8.`
			});
		}
	}
	return entries;
});

const url = (example: string, originOnly: boolean) =>
	z.string().transform((text, ctx) => {
		const parsed = URL.parse(text);
		const web = parsed && /^https?:$/.test(parsed.protocol);
		const bare = parsed && !parsed.username && !parsed.password && !parsed.search && !parsed.hash;
		if (web && bare && (!originOnly || parsed.pathname === '/')) return parsed;
		ctx.addIssue({
			code: 'custom',
			message: `must be an http or https address${originOnly ? ' without a path' : ''}, e.g. ${example}.`
		});
		return z.NEVER;
	});

const command = z.string().transform((text, ctx) => {
	const wrong = () => {
		ctx.addIssue({
			code: 'custom',
			message:
				'must be a JSON array of non-empty texts, e.g. ["java", "-Xmx4G", "-jar", "server.jar", "nogui"].'
		});
		return z.NEVER;
	};
	try {
		const argv = z.array(z.string().min(1).max(8192)).min(1).max(1000).parse(JSON.parse(text));
		return argv.some((argument) => argument.includes('\0')) ? wrong() : argv;
	} catch {
		return wrong();
	}
});

const origins = z
	.string()
	.transform((text) => text.split(',').map((one) => one.trim()))
	.pipe(
		z.array(
			z.string().refine((text) => {
				const url = URL.parse(text);
				return url !== null && /^https?:$/.test(url.protocol) && url.origin === text;
			}, 'must be origins like https://push.example.org, with commas between them.')
		)
	);

const contact = line(300).refine(
	(text) =>
		/^mailto:[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>".]+$/.test(text) ||
		URL.parse(text)?.protocol === 'https:',
	'must be mailto: with your mail address, or an https address, e.g. mailto:you@example.org.'
);

/** In the order of `.env.example`. */
export const Variables = z.object({
	SUPERADMIN_USERNAME: username.optional(),
	SUPERADMIN_PASSWORD: password.optional(),
	ADMIN_USERNAME: username.optional(),
	ADMIN_PASSWORD: password.optional(),
	AUTH_SECRET: secret.optional(),
	HOST: host.optional(),
	PORT: whole(0, 65535).optional(),
	TRUST_PROXY: proxies.optional(),
	PUBLIC_URL: url('https://mc.example.org', true).optional(),
	SERVER_DIR: line(4096).optional(),
	SERVER_NAME: line(80).optional(),
	SERVER_ADDRESS: line(255).regex(/^\S+$/, 'must not contain spaces.').optional(),
	SERVER_COMMAND: command.optional(),
	JAVA_HOME: line(4096).optional(),
	RUNTIME: z
		.enum(['process', 'keeper', 'systemd'], 'must be process, keeper or systemd.')
		.optional(),
	KEEPER_DIR: line(4096).startsWith('/', 'must be an absolute path.').optional(),
	SYSTEMD_UNIT: line(255)
		.regex(
			/^[A-Za-z0-9:_.\\][A-Za-z0-9:_.\\@-]*\.service$/,
			'must be the name of a service, e.g. minecraft.service.'
		)
		.optional(),
	SYSTEMD_SCOPE: z.enum(['system', 'user'], 'must be system or user.').optional(),
	RCON_HOST: host.optional(),
	RCON_PORT: whole(1, 65535).optional(),
	RCON_PASSWORD: line(1000).optional(),
	BEDROCK_PREFIX: line(8)
		.regex(/^[^\s@"'\\/§]+$/, 'must not contain spaces, quotes, slashes, @ or §.')
		.optional(),
	DATA_DIR: line(4096).optional(),
	BACKUP_DIR: line(4096).optional(),
	SNAPSHOT_DIR: line(4096).optional(),
	LOG_DIR: line(4096).optional(),
	SCHEDULER: z.enum(['crontab', 'embedded'], 'must be crontab or embedded.').optional(),
	MODRINTH_URL: url('https://api.modrinth.com/v2', false).optional(),
	MOJANG_META_URL: url('https://piston-meta.mojang.com', false).optional(),
	FABRIC_META_URL: url('https://meta.fabricmc.net', false).optional(),
	NEOFORGE_MAVEN_URL: url('https://maven.neoforged.net', false).optional(),
	FORGE_FILES_URL: url('https://files.minecraftforge.net', false).optional(),
	FORGE_MAVEN_URL: url('https://maven.minecraftforge.net', false).optional(),
	PAPER_API_URL: url('https://fill.papermc.io', false).optional(),
	ADOPTIUM_URL: url('https://api.adoptium.net', false).optional(),
	VERIFY_TIMEOUT_SECONDS: whole(1, 86_400).optional(),
	STREAMS_PER_ACCOUNT: whole(1, 10_000).optional(),
	METRICS_TOKEN: token.optional(),
	PUSH_ORIGINS: origins.optional(),
	PUSH_CONTACT: contact.optional()
});
export type Values = z.output<typeof Variables>;
export type VariableName = keyof Values;
export const VARIABLE_NAMES = Object.keys(Variables.shape) as VariableName[];

/** The addresses of where games, loaders and Java come from. */
export const SOURCE_VARIABLES = [
	'MOJANG_META_URL',
	'FABRIC_META_URL',
	'NEOFORGE_MAVEN_URL',
	'FORGE_FILES_URL',
	'FORGE_MAVEN_URL',
	'PAPER_API_URL',
	'ADOPTIUM_URL'
] as const satisfies VariableName[];
export type SourceVariable = (typeof SOURCE_VARIABLES)[number];

/** Set to nothing, these are a mistake; the others then have their default. */
export const NEVER_EMPTY: readonly string[] = [
	'SUPERADMIN_USERNAME',
	'SUPERADMIN_PASSWORD',
	'ADMIN_USERNAME',
	'ADMIN_PASSWORD',
	'AUTH_SECRET',
	'SERVER_DIR'
];

/** An unknown name that begins like this is probably a typing mistake. */
export const OUR_PREFIX =
	/^(SUPERADMIN|ADMIN|AUTH|TRUST|SERVER|RUNTIME|KEEPER|SYSTEMD|RCON|BEDROCK|BACKUP|SNAPSHOT|SCHEDULER|MODRINTH|MOJANG|FABRIC|NEOFORGE|FORGE|PAPER|ADOPTIUM|VERIFY|STREAMS|METRICS|PUSH)_/;

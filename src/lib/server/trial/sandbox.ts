/** Its own network, processes, users, IPC, host name and control groups. It ends with us, however we end. */
export const SANDBOX_BASE = [
	...['--unshare-all', '--die-with-parent', '--new-session', '--cap-drop', 'ALL'],
	...['--ro-bind', '/', '/', '--dev', '/dev', '--remount-ro', '/dev', '--proc', '/proc']
];

/** Home folders, other disks, and the places of sockets: whatever a boot needs of these is put back one by one. */
export const ALWAYS_HIDDEN = ['/home', '/root', '/run', '/var', '/tmp', '/mnt', '/media', '/srv'];

export type Sandbox = {
	/** The game's folder in there, at the same path; nothing else is writable. */
	dir: string;
	/** A folder outside of it that is `/tmp` and `/var/tmp` in there. */
	tmp: string;
	/** Folders, and files such as `.env`, that must be hidden: real paths of what exists. */
	hidden: { dirs: string[]; files: string[] };
	/** Read-only, from a path outside to a path inside; even within a hidden folder. */
	readOnly: { from: string; to: string }[];
	environment: Record<string, string>;
	/** Only for the launcher that downloads the game. */
	network?: boolean;
};

/** Arguments for bubblewrap. Later ones cover earlier ones. */
export function sandboxArgs(sandbox: Sandbox): string[] {
	const { dir, tmp, hidden, readOnly, environment, network } = sandbox;
	// A folder within a hidden one is gone with it, and could not be created in there any more.
	const { dirs } = hidden;
	const outermost = dirs.filter(
		(one) => !dirs.some((other) => other !== one && within(one, other))
	);
	const files = hidden.files.filter((file) => !outermost.some((one) => within(file, one)));
	const after = (flag: string, pairs: [string, string][]) =>
		pairs.flatMap(([from, to]) => [flag, from, to]);
	return [
		...SANDBOX_BASE,
		...(network ? ['--share-net'] : []),
		...outermost.flatMap((one) => ['--tmpfs', one]),
		...after(
			'--ro-bind',
			files.map((file) => ['/dev/null', file])
		),
		...after('--bind', [
			[tmp, '/tmp'],
			[tmp, '/var/tmp'],
			[dir, dir]
		]),
		...after(
			'--ro-bind',
			readOnly.map(({ from, to }) => [from, to])
		),
		...outermost.filter((one) => one !== '/tmp').flatMap((one) => ['--remount-ro', one]),
		'--clearenv',
		...after('--setenv', Object.entries(environment)),
		...['--chdir', dir]
	];
}

export const within = (file: string, dir: string) =>
	file === dir || file.startsWith(dir.endsWith('/') ? dir : `${dir}/`);

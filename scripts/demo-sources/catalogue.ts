/** What the fictional services know: real version numbers, invented files. Newest first, as the real lists are. */
export type Game = {
	id: string;
	type: 'release' | 'snapshot';
	releasedAt: string;
	java: number | null;
};

const game = (
	id: string,
	releasedAt: string,
	java: number | null,
	type: Game['type'] = 'release'
) => ({
	...{ id, type, releasedAt: `${releasedAt}T10:00:00+00:00`, java }
});

/** By date: 26.1 is newer than 1.21.11, whatever the strings suggest. */
export const GAMES: Game[] = [
	game('26.3-snapshot-3', '2026-10-20', 25, 'snapshot'),
	game('26.2', '2026-09-15', 25),
	game('26.1.2', '2026-05-12', 25),
	game('26.1', '2026-03-24', 25),
	game('26.1-snapshot-3', '2026-01-13', 25, 'snapshot'),
	game('1.21.11', '2025-12-09', 21),
	game('1.21.10', '2025-10-07', 21),
	game('25w41a', '2025-10-07', 21, 'snapshot'),
	game('1.21.8', '2025-07-17', 21),
	game('1.21.5', '2025-03-25', 21),
	game('1.21.4', '2024-12-03', 21),
	game('1.21.3', '2024-10-23', 21),
	game('1.21.1', '2024-08-08', 21),
	game('1.21', '2024-06-13', 21),
	game('1.20.6', '2024-04-29', 21),
	game('1.20.4', '2023-12-07', 17),
	game('1.20.2', '2023-09-20', 17),
	game('1.20.1', '2023-06-12', 17),
	game('1.19.2', '2022-08-05', 17),
	game('1.18.2', '2022-02-28', 17),
	game('1.17.1', '2021-07-06', 16),
	game('1.16.5', '2021-01-14', null),
	game('1.12.2', '2017-09-18', null),
	game('1.2.5', '2012-03-29', null),
	game('1.2.4', '2012-03-22', null)
];

export const FABRIC = {
	games: GAMES.filter(({ releasedAt }) => releasedAt > '2019').map(({ id, type }) => ({
		version: id,
		stable: type === 'release'
	})),
	loaders: ['0.18.1', '0.18.0', '0.17.3', '0.16.14', '0.16.9'],
	installers: [
		{ version: '1.1.1', stable: false },
		{ version: '1.1.0', stable: true }
	],
	/** Listed, but without a loader yet. */
	unsupported: ['26.3-snapshot-3']
};

/** In no order, like the real one: `<latest>` names a beta. */
export const NEOFORGE = [
	...['20.2.93', '20.4.237', '20.6.139', '21.0.167', '21.1.9', '21.1.172', '21.1.209'],
	...['21.3.86', '21.4.156', '21.5.75', '21.8.47', '21.10.64', '21.11.3-beta', '21.11.12-beta'],
	...['26.1.0.0-alpha.1+snapshot-1', '26.1.0.4-beta', '26.1.2.7-beta', '26.1.2.30-beta'],
	...['26.1.2.31', '26.2.0.4-beta', '0.25w14craftmine.3-beta']
];
export const OLD_NEOFORGE = ['1.20.1-47.1.7', '1.20.1-47.1.106', '1.20.1-47.1.84'];

export const FORGE = {
	promos: {
		'1.7.10-recommended': '10.13.4.1614',
		'1.16.5-recommended': '36.2.34',
		'1.17.1-latest': '37.1.1',
		'1.17.1-recommended': '37.1.1',
		'1.20.1-latest': '47.4.10',
		'1.20.1-recommended': '47.2.0',
		'1.21.1-latest': '52.1.3',
		'1.21.1-recommended': '52.1.0',
		'1.21.8-latest': '58.1.0'
	},
	builds: {
		'1.7.10': ['1.7.10-10.13.4.1614-1.7.10'],
		'1.16.5': ['1.16.5-36.2.34'],
		'1.17.1': ['1.17.1-37.0.1', '1.17.1-37.1.1'],
		'1.20.1': ['1.20.1-47.1.3', '1.20.1-47.2.0', '1.20.1-47.4.10', '1.20.1-47.4.9'],
		'1.21.1': ['1.21.1-52.0.1', '1.21.1-52.1.0', '1.21.1-52.1.3'],
		'1.21.8': ['1.21.8-58.1.0']
	} as Record<string, string[]>
};

export const PAPER: { id: string; java: number; builds: { id: number; channel: string }[] }[] = [
	{ id: '26.2', java: 25, builds: [{ id: 4, channel: 'ALPHA' }] },
	{
		id: '26.1.2',
		java: 25,
		builds: [
			{ id: 71, channel: 'STABLE' },
			{ id: 70, channel: 'BETA' }
		]
	},
	{
		id: '1.21.11',
		java: 21,
		builds: [
			{ id: 92, channel: 'BETA' },
			{ id: 91, channel: 'STABLE' }
		]
	},
	{ id: '1.21.9-rc1', java: 21, builds: [{ id: 2, channel: 'ALPHA' }] },
	{ id: '1.21.1', java: 21, builds: [{ id: 133, channel: 'STABLE' }] },
	{ id: '1.20.6', java: 21, builds: [{ id: 151, channel: 'STABLE' }] }
];

/** Major versions of Java: 16 has no image without the compiler. */
export const JAVAS = [
	{ major: 8, version: '8u472-b08', images: ['jre', 'jdk'] },
	{ major: 16, version: '16.0.2+7', images: ['jdk'] },
	{ major: 17, version: '17.0.17+10', images: ['jre', 'jdk'] },
	{ major: 21, version: '21.0.9+10', images: ['jre', 'jdk'] },
	{ major: 25, version: '25.0.1+8', images: ['jre', 'jdk'] }
];

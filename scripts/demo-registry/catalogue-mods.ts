import type { ModFault } from '../demo-server/seed/seed-mods.ts';

/**
 * One mod of the demo's registry. Everything in here is made up; Fabric API and Lithium are stand-ins that hold only
 * their names.
 */
export type Entry = {
	slug: string;
	title: string;
	description: string;
	categories: string[];
	/** `both`: also on clients; `either`: there it is of use, too. */
	side: 'server' | 'client' | 'both' | 'either';
	downloads: number;
	/** Oldest first; `-beta` and `-alpha` in a number are its channel. */
	versions: (string | VersionEntry)[];
	needs?: string[];
	/** Goes well with. */
	likes?: string[];
	hates?: string[];
	embeds?: string[];
	loaders?: string[];
	gameVersions?: string[];
	/** Without a picture. */
	plain?: boolean;
};
export type VersionEntry = {
	number: string;
	/** `1.4.2` in `lantern-keeper-1.4.2.jar`; the number unless told. */
	jar?: string;
	/** Markdown. */
	changelog?: string;
	fault?: ModFault;
	/** The other mod of that fault. */
	faultWith?: string;
	needs?: string[];
	gameVersions?: string[];
	/** The file's name, where it does not follow from slug and number. */
	file?: string;
};

/** The mods that the demo server has at first: their first version here is the very jar that lies in `mods/`. */
export const INSTALLED: Entry[] = [
	{
		slug: 'fabric-api',
		title: 'Fabric API',
		description: 'Stand-in for the library that most mods need.',
		categories: ['library'],
		side: 'either',
		downloads: 9_800_000,
		versions: [
			{ number: '0.104.0+1.21.1' },
			{
				number: '0.105.0+1.21.1',
				file: 'fabric-api-0.105.0+1.21.1.jar',
				changelog: '## Changes\n\n- Events for lanterns\n- **Fixes** a leak in the screen hooks'
			},
			{ number: '0.106.0+1.21.4', gameVersions: ['1.21.4'] },
			{ number: '0.107.0+1.21.5', gameVersions: ['1.21.5'] },
			{ number: '0.108.0+1.21.8', gameVersions: ['1.21.8'] }
		]
	},
	{
		slug: 'lithium',
		title: 'Lithium',
		description: 'Stand-in for a mod that makes the server faster.',
		categories: ['optimization'],
		side: 'either',
		downloads: 7_200_000,
		versions: [
			{ number: '0.13.0+mc1.21.1' },
			{
				number: '0.14.0+mc1.21.1',
				file: 'lithium-fabric-0.14.0+mc1.21.1.jar',
				changelog: '- Prepares the world in parallel'
			},
			{
				number: '0.15.0-beta.1+mc1.21.1',
				file: 'lithium-fabric-0.15.0-beta.1+mc1.21.1.jar',
				changelog: '- Prepares the world one thing after the other again'
			},
			{ number: '0.15.1+mc1.21.4', gameVersions: ['1.21.4'] },
			{ number: '0.16.0+mc1.21.5', gameVersions: ['1.21.5'] },
			// It does not even start, as a copy shows.
			{ number: '0.17.0+mc1.21.8', gameVersions: ['1.21.8'], fault: 'crash' }
		]
	},
	{
		slug: 'lantern-keeper',
		title: 'Lantern Keeper',
		description: 'Somebody lights the lanterns at dusk and puts them out at dawn.',
		categories: ['decoration', 'utility'],
		side: 'server',
		downloads: 41_200,
		needs: ['fabric-api'],
		versions: [
			// Its maker has tried the old file with the newer games.
			{ number: '1.4.2', gameVersions: ['1.21.1', '1.21.4', '1.21.5', '1.21.8'] },
			{
				number: '1.4.3',
				changelog: '- The keeper no longer falls into wells'
			},
			{
				number: '1.5.0',
				needs: ['wick-lib'],
				changelog:
					'### New\n\n- Coloured oil\n- Lanterns over water\n\n### Fixed\n\n- Rain puts out only what it reaches\n\nNeeds **Wick** now.'
			}
		]
	},
	{
		slug: 'quiet-villagers',
		title: 'Quiet Villagers',
		description: 'Hrmm, but less often.',
		categories: ['mobs', 'utility'],
		side: 'server',
		downloads: 128_000,
		versions: [
			{ number: '2.0.1' },
			{
				number: '3.0.0',
				changelog: '- Rewritten\n- Villagers whisper in three languages',
				fault: 'crash'
			}
		]
	},
	{
		slug: 'waymarks',
		title: 'Waymarks',
		description: 'Signposts that know the way.',
		categories: ['transportation', 'worldgen'],
		side: 'both',
		downloads: 305_000,
		needs: ['fabric-api'],
		likes: ['wayfarer-map'],
		versions: [
			{ number: '0.9.0+1.21.1' },
			{
				number: '1.0.0+1.21.1',
				changelog: '# 1.0\n\n- Signposts count the steps\n- Travellers queue in front of them'
			},
			{ number: '1.0.1+1.21.4', gameVersions: ['1.21.4'] },
			// It starts on a fresh world, and not on this one.
			{ number: '1.1.0+1.21.5', gameVersions: ['1.21.5'], fault: 'old-world' },
			{ number: '1.2.0+1.21.8', gameVersions: ['1.21.8'] }
		]
	}
];

/** Each fails in a way of its own: to be tried, and to be watched being found out. */
const FAILING: Entry[] = [
	{
		slug: 'ruin-keeper',
		title: 'Ruin Keeper',
		description:
			'Starts on a fresh world, and takes one that is lived in down. Made to be rolled back.',
		categories: ['worldgen'],
		side: 'server',
		downloads: 640,
		// Whoever has upgraded the game can still try it.
		versions: [{ number: '1.0.0', fault: 'old-world', gameVersions: ['1.21.1', '1.21.4'] }]
	},
	{
		slug: 'whispering-wells',
		title: 'Whispering Wells',
		description: 'Needs the library Inkwell, and tells nobody. Does not start without it.',
		categories: ['decoration'],
		side: 'server',
		downloads: 610,
		versions: [{ number: '1.0.0', fault: 'lacks', faultWith: 'inkwell' }]
	},
	{
		slug: 'endless-stair',
		title: 'Endless Stair',
		description: 'Counts its own steps as the server starts, and never arrives.',
		categories: ['worldgen'],
		side: 'server',
		downloads: 580,
		versions: [{ number: '1.0.0', fault: 'hang' }]
	},
	{
		slug: 'tidal-bells',
		title: 'Tidal Bells',
		description: 'Bells that follow the moon. Starts alone, and not together with Moonlit Tides.',
		categories: ['decoration'],
		side: 'server',
		downloads: 550,
		versions: [{ number: '1.0.0', fault: 'clash', faultWith: 'moonlit-tides' }]
	},
	{
		slug: 'moonlit-tides',
		title: 'Moonlit Tides',
		description: 'The sea glows at full moon. Starts alone, and not together with Tidal Bells.',
		categories: ['decoration'],
		side: 'server',
		downloads: 520,
		versions: ['1.0.0']
	},
	{
		slug: 'coin-toss',
		title: 'Coin Toss',
		description: 'Starts every other time, at random. Nobody can be blamed for certain.',
		categories: ['game-mechanics'],
		side: 'server',
		downloads: 490,
		versions: [{ number: '1.0.0', fault: 'flaky' }]
	},
	{
		slug: 'weather-courier',
		title: 'Weather Courier',
		description:
			'Asks a server on the internet for the weather as it starts, and gives up without it.',
		categories: ['utility'],
		side: 'server',
		downloads: 460,
		versions: [{ number: '1.0.0', fault: 'online' }]
	}
];

/** What can be found and installed. */
export const OFFERED: Entry[] = [
	{
		slug: 'wick-lib',
		title: 'Wick',
		description: 'A library for everything that burns slowly.',
		categories: ['library'],
		side: 'either',
		downloads: 38_000,
		versions: ['0.3.0', '0.3.1']
	},
	{
		slug: 'hearthstone-core',
		title: 'Hearthstone Core',
		description: 'Shared code of the Hearth mods: settings, timers, translations.',
		categories: ['library'],
		side: 'either',
		downloads: 214_000,
		needs: ['fabric-api'],
		versions: ['2.0.0', '2.1.0', '2.2.0-beta.1']
	},
	{
		slug: 'hearth-and-home',
		title: 'Hearth & Home',
		description: 'Chimneys that smoke, kettles that whistle, chairs that can be sat on.',
		categories: ['decoration'],
		side: 'both',
		downloads: 187_000,
		needs: ['fabric-api', 'hearthstone-core'],
		versions: ['1.0.0', '1.1.0', '1.2.0']
	},
	{
		slug: 'hearth-kitchen',
		title: 'Hearth Kitchen',
		description: 'Forty dishes and a pantry. Soup included.',
		categories: ['food'],
		side: 'both',
		downloads: 96_400,
		needs: ['hearth-and-home', 'hearthstone-core'],
		likes: ['orchard-rows'],
		versions: ['0.8.0', '0.9.0']
	},
	{
		slug: 'orchard-rows',
		title: 'Orchard Rows',
		description: 'Fruit trees that are planted, grafted and shaken.',
		categories: ['food', 'worldgen'],
		side: 'both',
		downloads: 74_900,
		versions: ['1.3.0', '1.3.1']
	},
	{
		slug: 'tickwise',
		title: 'Tickwise',
		description: 'Lets far-away farms take turns instead of all ticking at once.',
		categories: ['optimization'],
		side: 'server',
		downloads: 652_000,
		hates: ['slow-fields'],
		versions: ['3.0.0', '3.1.0', '3.2.0']
	},
	{
		slug: 'slow-fields',
		title: 'Slow Fields',
		description: 'Crops grow as long as real ones do. Does not get along with Tickwise.',
		categories: ['game-mechanics'],
		side: 'server',
		downloads: 8_200,
		hates: ['tickwise'],
		versions: ['1.0.0']
	},
	{
		slug: 'chunk-courier',
		title: 'Chunk Courier',
		description: 'Sends the chunks that players look at before those behind them.',
		categories: ['optimization'],
		side: 'server',
		downloads: 488_000,
		versions: ['1.0.0', '1.1.0', '1.1.1']
	},
	{
		slug: 'lightfoot',
		title: 'Lightfoot',
		description: 'Light is computed once and kept.',
		categories: ['optimization'],
		side: 'either',
		downloads: 910_000,
		versions: ['0.11.0', '0.12.0', '0.13.0-alpha.2']
	},
	{
		slug: 'memory-palace',
		title: 'Memory Palace',
		description: 'Block states that are alike are stored once. A third less memory.',
		categories: ['optimization'],
		side: 'either',
		downloads: 1_320_000,
		versions: ['6.0.0', '6.0.1']
	},
	{
		slug: 'pregen-plough',
		title: 'Pregen Plough',
		description: 'Makes the world around the spawn while nobody is there.',
		categories: ['utility', 'management'],
		side: 'server',
		downloads: 540_000,
		versions: ['1.4.0', '1.4.1']
	},
	{
		slug: 'wayfarer-map',
		title: 'Wayfarer Map',
		description: 'A map of the world in the browser, drawn by the server.',
		categories: ['utility', 'management'],
		side: 'server',
		downloads: 366_000,
		needs: ['fabric-api', 'inkwell'],
		versions: ['2.0.0', '2.1.0', '2.2.0']
	},
	{
		slug: 'inkwell',
		title: 'Inkwell',
		description: 'A library that draws pictures without a screen.',
		categories: ['library'],
		side: 'server',
		downloads: 371_000,
		versions: ['0.5.0', '0.6.0']
	},
	{
		slug: 'pocket-atlas',
		title: 'Pocket Atlas',
		description: 'A small map in the corner. For players; the server need not know.',
		categories: ['utility'],
		side: 'client',
		downloads: 2_010_000,
		needs: ['fabric-api'],
		versions: ['24.1.0', '24.2.0']
	},
	{
		slug: 'dusk-shades',
		title: 'Dusk Shades',
		description: 'Longer shadows, warmer evenings. Pictures only.',
		categories: ['decoration'],
		side: 'client',
		downloads: 740_000,
		versions: ['1.7.0', '1.8.0']
	},
	{
		slug: 'quick-hands',
		title: 'Quick Hands',
		description: 'Sorts your chest with one key.',
		categories: ['utility', 'storage'],
		side: 'client',
		downloads: 1_090_000,
		versions: ['5.0.0']
	},
	{
		slug: 'campfire-chat',
		title: 'Campfire Chat',
		description: 'Chat by distance, whispers, and shouts across the valley.',
		categories: ['social'],
		side: 'server',
		downloads: 151_000,
		needs: ['fabric-api'],
		versions: ['1.0.0', '1.1.0-beta.1', '1.1.0']
	},
	{
		slug: 'town-crier',
		title: 'Town Crier',
		description: 'Announcements at set hours, and when somebody comes of age.',
		categories: ['social', 'management'],
		side: 'server',
		downloads: 47_000,
		likes: ['campfire-chat'],
		versions: ['0.4.0', '0.5.0']
	},
	{
		slug: 'letterbox',
		title: 'Letterbox',
		description: 'Post for those who are not there, delivered by parrot.',
		categories: ['social'],
		side: 'both',
		downloads: 33_800,
		versions: ['1.0.2']
	},
	{
		slug: 'gatekeeper',
		title: 'Gatekeeper',
		description: 'Claims of land with neighbours, guests and a fence that is seen.',
		categories: ['management'],
		side: 'server',
		downloads: 602_000,
		needs: ['hearthstone-core'],
		versions: ['4.0.0', '4.1.0', '4.2.0', '5.0.0-beta.3']
	},
	{
		slug: 'ledger-and-quill',
		title: 'Ledger & Quill',
		description: 'Writes down who placed and took what, and puts it back.',
		categories: ['management', 'utility'],
		side: 'server',
		downloads: 418_000,
		versions: ['1.2.0', '1.3.0']
	},
	{
		slug: 'honest-coins',
		title: 'Honest Coins',
		description: 'Money that is minted from what lies in the vault.',
		categories: ['economy'],
		side: 'server',
		downloads: 58_500,
		needs: ['ledger-and-quill'],
		versions: ['0.9.0', '1.0.0']
	},
	{
		slug: 'night-market',
		title: 'Night Market',
		description: 'Stalls that open after dark. Needs coins.',
		categories: ['economy'],
		side: 'both',
		downloads: 21_700,
		needs: ['honest-coins', 'fabric-api'],
		versions: ['0.2.0', '0.3.0']
	},
	{
		slug: 'valleys-wide',
		title: 'Valleys Wide',
		description: 'Rivers that lead somewhere, and valleys to build in.',
		categories: ['worldgen'],
		side: 'both',
		downloads: 833_000,
		embeds: ['contour-lib'],
		versions: ['2.3.0', '2.4.0']
	},
	{
		slug: 'contour-lib',
		title: 'Contour',
		description: 'A library of noise, slopes and rivers.',
		categories: ['library', 'worldgen'],
		side: 'both',
		downloads: 845_000,
		versions: ['1.1.0']
	},
	{
		slug: 'ruins-and-relics',
		title: 'Ruins & Relics',
		description: 'A hundred small ruins, each with a reason.',
		categories: ['worldgen', 'adventure'],
		side: 'server',
		downloads: 570_000,
		likes: ['valleys-wide'],
		versions: ['1.0.0', '1.1.0', '1.2.0']
	},
	{
		slug: 'deep-galleries',
		title: 'Deep Galleries',
		description: 'Mines that somebody dug before you.',
		categories: ['worldgen'],
		side: 'server',
		downloads: 219_000,
		versions: ['0.7.0']
	},
	{
		slug: 'tidewater',
		title: 'Tidewater',
		description: 'The sea comes and goes. Build accordingly.',
		categories: ['worldgen', 'game-mechanics'],
		side: 'both',
		downloads: 64_000,
		versions: ['0.1.0-alpha.4', '0.1.0-alpha.5']
	},
	{
		slug: 'beekeepers-almanac',
		title: "Beekeeper's Almanac",
		description: 'Twelve kinds of honey and the bees to go with them.',
		categories: ['mobs', 'food'],
		side: 'both',
		downloads: 92_100,
		versions: ['3.1.0', '3.2.0']
	},
	{
		slug: 'shepherds-whistle',
		title: "Shepherd's Whistle",
		description: 'Sheep come when they are called. Goats do not.',
		categories: ['mobs'],
		side: 'server',
		downloads: 17_300,
		versions: ['1.0.0'],
		plain: true
	},
	{
		slug: 'gentle-creepers',
		title: 'Gentle Creepers',
		description: 'They still hiss. They no longer take the house along.',
		categories: ['mobs', 'game-mechanics'],
		side: 'server',
		downloads: 276_000,
		versions: ['2.0.0', '2.0.1']
	},
	{
		slug: 'stagecoach',
		title: 'Stagecoach',
		description: 'Coaches on a timetable between your towns.',
		categories: ['transportation'],
		side: 'both',
		downloads: 88_800,
		needs: ['fabric-api', 'waymarks'],
		versions: ['0.6.0', '0.7.0']
	},
	{
		slug: 'ferrymans-toll',
		title: "Ferryman's Toll",
		description: 'Boats across the lake, for a fair price.',
		categories: ['transportation', 'economy'],
		side: 'both',
		downloads: 11_900,
		likes: ['honest-coins'],
		versions: ['0.2.1'],
		plain: true
	},
	{
		slug: 'steady-backups',
		title: 'Steady Backups',
		description: 'Copies of the world from inside the game. Craftwarden has them already.',
		categories: ['management', 'utility'],
		side: 'server',
		downloads: 333_000,
		versions: ['1.9.0']
	},
	{
		slug: 'clockwork-doors',
		title: 'Clockwork Doors',
		description: 'Doors, gates and drawbridges that mesh.',
		categories: ['technology', 'decoration'],
		side: 'both',
		downloads: 402_000,
		needs: ['fabric-api'],
		versions: ['1.5.0', '1.6.0', '2.0.0-alpha.1']
	},
	{
		slug: 'copper-telegraph',
		title: 'Copper Telegraph',
		description: 'Redstone over long distances, as long as the line is not cut.',
		categories: ['technology'],
		side: 'both',
		downloads: 123_000,
		versions: ['0.3.0', '0.4.0']
	},
	{
		slug: 'great-vaults',
		title: 'Great Vaults',
		description: 'Storage for a whole town, with a clerk who finds things.',
		categories: ['storage'],
		side: 'both',
		downloads: 512_000,
		needs: ['fabric-api'],
		versions: ['3.0.0', '3.1.0']
	},
	{
		slug: 'moss-and-mortar',
		title: 'Moss & Mortar',
		description: 'Walls grow old. Three hundred blocks that show it.',
		categories: ['decoration'],
		side: 'both',
		downloads: 268_000,
		versions: ['1.1.0', '1.2.0'],
		loaders: ['fabric', 'quilt']
	},
	{
		slug: 'quilted-winters',
		title: 'Quilted Winters',
		description: 'Seasons, for Quilt only.',
		categories: ['game-mechanics'],
		side: 'both',
		downloads: 29_000,
		versions: ['1.0.0'],
		loaders: ['quilt']
	},
	{
		slug: 'anvil-works',
		title: 'Anvil Works',
		description: 'Smithing in twelve steps. For NeoForge.',
		categories: ['equipment', 'technology'],
		side: 'both',
		downloads: 144_000,
		versions: ['2.0.0', '2.1.0'],
		loaders: ['neoforge']
	},
	{
		slug: 'old-roads',
		title: 'Old Roads',
		description: 'Roads between villages. Not yet made for this version of the game.',
		categories: ['worldgen', 'transportation'],
		side: 'server',
		downloads: 390_000,
		versions: ['1.8.0', '1.9.0'],
		gameVersions: ['1.20.1']
	},
	{
		slug: 'gear-shed',
		title: 'Gear Shed',
		description: 'Wheels, belts and levers. For Forge 1.20.1.',
		categories: ['technology'],
		side: 'both',
		downloads: 702_000,
		versions: ['0.5.1'],
		loaders: ['forge'],
		gameVersions: ['1.20.1']
	},
	...FAILING
];

/** What the bots are called, say, achieve and die of. All invented, except the game's own sentences. */
export const BOTS = [
	{ name: 'Mossfeather', address: '192.0.2.14' },
	{ name: 'tinwhistle_88', address: '192.0.2.27' },
	{ name: 'PebbleWick', address: '198.51.100.6' },
	{ name: 'quietfox', address: '198.51.100.91' },
	{ name: 'Ore_Or_Not', address: '203.0.113.40' },
	{ name: 'LanternLou', address: '203.0.113.77' }
] as const;

/** The first so many of them; beyond those above they are many, and nobody in particular. */
export const crowd = (count: number) => [
	...BOTS.slice(0, count),
	...Array.from({ length: Math.max(0, count - BOTS.length) }, (_, i) => ({
		name: `${['Wanderer', 'a_traveller', 'Kit'][i % 3]}_${i}`,
		address: `192.0.2.${100 + i}`
	}))
];

export const CHAT = [
	'morning all',
	'anyone near spawn?',
	'the bridge is finished, come and see',
	'who took my good pickaxe :(',
	'found a village at -412 980',
	'brb tea',
	'do not go down there without torches',
	'I have spare wheat if somebody needs some',
	'that creeper was NOT my fault',
	'can we sleep please',
	'is the iron farm on?',
	'lag or is it me?',
	'it is you',
	'lol',
	'the new mod is really nice',
	'wer hat meine Kühe rausgelassen? 🐄',
	'<b>this is not bold</b>',
	'PebbleWick joined the game (just kidding)',
	'gg',
	'building a lighthouse, need 3 stacks of quartz',
	'ok see you tomorrow'
];

export type Death = { text: string; killer: string | null };

/** `%1$s` is the victim; `killer` is the entity id for the statistics. */
export const DEATHS: Death[] = [
	{ text: '%1$s was slain by Zombie', killer: 'zombie' },
	{ text: '%1$s was shot by Skeleton', killer: 'skeleton' },
	{ text: '%1$s was blown up by Creeper', killer: 'creeper' },
	{ text: '%1$s was slain by Enderman', killer: 'enderman' },
	{ text: '%1$s was slain by Piglin Brute using [Golden Axe]', killer: 'piglin_brute' },
	{ text: '%1$s fell from a high place', killer: null },
	{ text: '%1$s hit the ground too hard', killer: null },
	{ text: '%1$s tried to swim in lava', killer: null },
	{ text: '%1$s drowned', killer: null },
	{ text: '%1$s suffocated in a wall', killer: null },
	{ text: '%1$s walked into a cactus while trying to escape Spider', killer: 'spider' },
	{ text: '%1$s was killed by [Intentional Game Design]', killer: null }
];

export type Goal = {
	id: string;
	title: string;
	criterion: string;
	verb: 'has made the advancement' | 'has reached the goal' | 'has completed the challenge';
};

const MADE = 'has made the advancement';

const goal = (id: string, title: string, criterion: string, verb: Goal['verb'] = MADE): Goal => ({
	id: `minecraft:${id}`,
	title,
	criterion,
	verb
});
/** In the order in which a player comes by them. */
export const GOALS: Goal[] = [
	goal('story/mine_stone', 'Stone Age', 'get_stone'),
	goal('story/upgrade_tools', 'Getting an Upgrade', 'stone_pickaxe'),
	goal('adventure/kill_a_mob', 'Monster Hunter', 'minecraft:zombie'),
	goal('story/smelt_iron', 'Acquire Hardware', 'iron'),
	goal('story/iron_tools', "Isn't It Iron Pick", 'iron_pickaxe'),
	goal('husbandry/plant_seed', 'A Seedy Place', 'wheat'),
	goal('adventure/sleep_in_bed', 'Sweet Dreams', 'slept_in_bed'),
	goal('story/lava_bucket', 'Hot Stuff', 'lava_bucket'),
	goal('husbandry/breed_an_animal', 'The Parrots and the Bats', 'bred'),
	goal('story/obtain_armor', 'Suit Up', 'iron_chestplate'),
	goal('story/mine_diamond', 'Diamonds!', 'diamond'),
	goal('adventure/trade', 'What a Deal!', 'traded'),
	goal('story/form_obsidian', 'Ice Bucket Challenge', 'obsidian'),
	goal('story/enter_the_nether', 'We Need to Go Deeper', 'entered_nether'),
	goal('nether/root', 'Nether', 'entered_nether'),
	goal('adventure/summon_iron_golem', 'Hired Help', 'summoned_golem', 'has reached the goal'),
	goal('nether/find_fortress', 'A Terrible Fortress', 'fortress'),
	goal('story/enchant_item', 'Enchanter', 'enchanted_item'),
	goal('adventure/minecraft_trials_edition', 'Minecraft: Trial(s) Edition', 'entered_trial'),
	goal(
		'nether/return_to_sender',
		'Return to Sender',
		'killed_ghast',
		'has completed the challenge'
	),
	goal('story/enter_the_end', 'The End?', 'entered_end')
];

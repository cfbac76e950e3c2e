/** Deaths that need nobody else's involvement; ` while fighting Zombie` and the like may follow. */
const CAUSES = [
	'blew up',
	'burned to death',
	'died(?: from dehydration)?',
	'discovered (?:the )?floor was lava',
	'drowned',
	'experienced kinetic energy',
	'fell from a high place',
	'fell off (?:a ladder|scaffolding|some (?:twisting |weeping )?vines)',
	'fell out of the (?:water|world)',
	'fell while climbing',
	'froze to death',
	'hit the ground too hard',
	'left the confines of this world',
	'starved to death',
	'suffocated in a wall',
	'tried to swim in lava',
	'was burn(?:ed|t) to a crisp',
	'was doomed to fall',
	'was impaled on a stalagmite',
	'was killed(?: by (?:even more )?magic)?',
	'was obliterated by a sonically-charged shriek',
	'was (?:poked|pricked|stung) to death(?: by a sweet berry bush)?',
	"was roasted in dragon(?:'s)? breath",
	'was skewered by a falling stalactite',
	'was squashed by a falling (?:anvil|block)',
	'was squished too much',
	'was struck by lightning',
	'went off with a bang',
	'went up in flames',
	'withered away'
];
/** Deaths caused by somebody: the message ends with the killer's name, and mostly with that of the weapon. */
const CAUSED = [
	'was (?:blown up|fireballed|impaled|killed|pummeled|shot|slain|smashed|speared|squashed) by',
	'was (?:doomed to fall|frozen to death|stung to death) by',
	"was roasted in dragon(?:'s)? breath by",
	'was killed (?:while )?trying to hurt',
	'fell too far and was finished by',
	'tried to swim in lava to escape',
	'walked into (?:a cactus|fire) whil(?:e|st) (?:fighting|trying to escape)',
	'walked into (?:the )?danger zone due to',
	'went off with a bang due to a firework fired from',
	"didn't want to live in the same world as",
	'died because of'
];

const DEATH = new RegExp(
	`^(?:(?:${CAUSES.join('|')})(?: whil(?:e|st) (?:fighting|trying to escape) .+)?|(?:${CAUSED.join('|')}) .+)$`,
	's'
);

/** Whether this text after a player's name says that they died, in the words of any version of the game. */
export const isDeath = (behindName: string): boolean => DEATH.test(behindName);

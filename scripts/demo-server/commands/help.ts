import { CommandError } from './reader.ts';
import type { Command } from './types.ts';

/** What `help` says of each command. Far more than this server obeys: the answer must be as long as the real one. */
const USAGE = `advancement (grant|revoke)
attribute <target> <attribute> (get|base|modifier)
ban <targets> [<reason>]
ban-ip <target> [<reason>]
banlist [ips|players]
bossbar (add|remove|list|set|get)
clear [<targets>]
clone (<begin>|from)
damage <target> <amount> [<damageType>]
data (merge|get|remove|modify)
datapack (enable|disable|list)
debug (start|stop|function)
defaultgamemode <gamemode>
deop <targets>
difficulty [peaceful|easy|normal|hard]
effect (clear|give)
enchant <targets> <enchantment> [<level>]
execute (run|if|unless|as|at|store|positioned|rotated|facing|align|anchored|in|summon|on)
experience (add|set|query)
fill <from> <to> <block> [replace|keep|outline|hollow|destroy]
fillbiome <from> <to> <biome> [replace]
forceload (add|remove|query)
function <name> [<arguments>|with]
gamemode <gamemode> [<target>]
gamerule (announceAdvancements|commandBlockOutput|disableElytraMovementCheck|disableRaids|doDaylightCycle|doEntityDrops|doFireTick|doImmediateRespawn|doInsomnia|doLimitedCrafting|doMobLoot|doMobSpawning|doPatrolSpawning|doTileDrops|doTraderSpawning|doVinesSpread|doWardenSpawning|doWeatherCycle|drowningDamage|fallDamage|fireDamage|forgiveDeadPlayers|freezeDamage|globalSoundEvents|keepInventory|lavaSourceConversion|logAdminCommands|maxCommandChainLength|maxEntityCramming|mobGriefing|naturalRegeneration|playersSleepingPercentage|randomTickSpeed|reducedDebugInfo|sendCommandFeedback|showDeathMessages|snowAccumulationHeight|spawnRadius|spectatorsGenerateChunks|tntExplosionDropDecay|universalAnger|waterSourceConversion)
give <targets> <item> [<count>]
help [<command>]
item (replace|modify)
jfr (start|stop)
kick <targets> [<reason>]
kill [<targets>]
list [uuids]
locate (structure|biome|poi)
loot (replace|insert|give|spawn)
me <action>
msg <targets> <message>
op <targets>
pardon <targets>
pardon-ip <target>
particle <name> [<pos>]
perf (start|stop)
place (feature|jigsaw|structure|template)
playsound <sound> [master|music|record|weather|block|hostile|neutral|player|ambient|voice]
random (value|roll|reset)
recipe (give|take)
reload
return (<value>|fail|run)
ride <target> (mount|dismount)
save-all [flush]
save-off
save-on
say <message>
schedule (function|clear)
scoreboard (objectives|players)
seed
setblock <pos> <block> [destroy|keep|replace]
setidletimeout <minutes>
setworldspawn [<pos>]
spawnpoint [<targets>]
spectate [<target>]
spreadplayers <center> <spreadDistance> <maxRange> (<respectTeams>|under)
stop
stopsound <targets> [*|master|music|record|weather|block|hostile|neutral|player|ambient|voice]
summon <entity> [<pos>]
tag <targets> (add|remove|list)
team (list|add|remove|empty|join|leave|modify)
teammsg <message>
teleport (<location>|<destination>|<targets>)
tell -> msg
tellraw <targets> <message>
tick (query|rate|step|sprint|unfreeze|freeze)
time (set|add|query)
title <targets> (clear|reset|title|subtitle|actionbar|times)
tm -> teammsg
tp -> teleport
transfer <hostname> [<port>]
trigger <objective> [add|set]
w -> msg
weather (clear|rain|thunder)
whitelist (on|off|list|add|remove|reload)
worldborder (add|set|center|damage|get|warning)
xp -> experience
fabric-api-registry-dump (blocks|items|entities|fluids|biomes|dimensions) [<namespace>]
lantern (light|snuff|colour|list|flicker) [<lantern>] [<value>]
lantern-keeper (reload|version|rounds|wages|history) [<keeper>]
quiet-villagers (mute|unmute|volume|curfew|list) [<profession>] [<percent>]
lithium (rules|counters|profile|version) [<rule>]
waymark (add|remove|rename|move|share|unshare|list|goto|colour|icon|hide|show|export|import) [<name>] [<pos>] [<dimension>]
waymark-admin (list|purge|limit|transfer|inspect|lock|unlock|backup|restore|reload) [<targets>] [<amount>]
ferry (routes|stops|board|leave|fare|timetable|captain|build|sink|raise) [<route>] [<stop>] [<minutes>]
almanac (today|week|moon|harvest|frost|tides|festival|forecast|rewrite) [<day>] [<biome>]
orchard (plant|prune|graft|harvest|inspect|blight|cure|register|unregister) [<pos>] [<variety>]
beacon-map (render|pause|resume|radius|purge|export|status) [<dimension>] [<radius>]
guild (found|disband|invite|join|leave|promote|demote|bank|home|banner|allies|rivals|motto) [<guild>] [<targets>] [<amount>]
market (sell|buy|list|search|history|tax|open|close) [<item>] [<count>] [<price>]
postbox (open|send|return|forward|register|unregister|fee|route|log) [<targets>] [<item>] [<message>]`
	.split('\n')
	.map((line) => `/${line}`);

export const helpCommand: Command = ({ reader, success }) => {
	if (!reader.more()) {
		for (const usage of USAGE) success(usage, false);
		return;
	}
	const about = reader.rest().split(' ', 1)[0];
	const usage = USAGE.find((line) => line.split(' ', 1)[0] === `/${about}`);
	if (!usage) throw new CommandError('Unknown command or insufficient permissions');
	success(usage, false);
};

import type { KnownCommand } from '#schemas/console';

/** What has been in every game for years, in its own notation, in the alphabet's order. */
export const COMMON: KnownCommand[] = `ban <targets> [<reason>]
ban-ip <target> [<reason>]
banlist [ips|players]
clear [<targets>]
deop <targets>
difficulty [peaceful|easy|normal|hard]
effect (clear|give)
enchant <targets> <enchantment> [<level>]
experience (add|set|query)
fill <from> <to> <block>
gamemode <gamemode> [<target>]
gamerule <rule> [<value>]
give <targets> <item> [<count>]
help [<command>]
kick <targets> [<reason>]
kill [<targets>]
list [uuids]
me <action>
msg <targets> <message>
op <targets>
pardon <targets>
pardon-ip <target>
reload
save-all [flush]
save-off
save-on
say <message>
scoreboard (objectives|players)
seed
setblock <pos> <block>
setidletimeout <minutes>
setworldspawn [<pos>]
spawnpoint [<targets>]
stop
summon <entity> [<pos>]
teleport (<location>|<destination>|<targets>)
tell -> msg
time (set|add|query)
title <targets> (clear|reset|title|subtitle|actionbar|times)
tp -> teleport
weather (clear|rain|thunder)
whitelist (on|off|list|add|remove|reload)
worldborder (add|set|center|damage|get|warning)
xp -> experience`
	.split('\n')
	.map((line) => {
		const [name = '', ...usage] = line.split(' ');
		return { name, usage: usage.join(' ') };
	});

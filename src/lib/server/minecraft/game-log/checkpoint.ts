/** Xaero's maps share waypoints in chat, for other clients to read: `xaero-waypoint:Home:H:-21:38:123:2:false:0:…`. */
const WAYPOINT =
	/^xaero[-_]waypoint:(?<name>[^:]{0,64}):[^:]{0,16}:(?<x>-?\d{1,9}):(?<y>-?\d{1,9}|~):(?<z>-?\d{1,9}):/;

/** The waypoint in words; null when the chat text is not one. */
export function waypoint(text: string): string | null {
	const { name, x, y, z } = WAYPOINT.exec(text)?.groups ?? {};
	if (name === undefined) return null;
	// `^col^` stands for a colon.
	return `shared the waypoint “${name.replaceAll('^col^', ':')}” (${x}, ${y}, ${z})`;
}

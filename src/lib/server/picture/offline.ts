/**
 * The picture library looks for glyphs that its fonts lack, and for images, in the network. Imported before it, this
 * leaves it nothing to look with: such a picture fails.
 */
const roads = globalThis as { fetch?: unknown; WebSocket?: unknown; EventSource?: unknown };
delete roads.fetch;
delete roads.WebSocket;
delete roads.EventSource;

export {};

/**
 * The picture library looks on the network for images, and for glyphs that its fonts lack. Imported before it, this
 * makes that impossible: such a picture fails.
 */
const roads = globalThis as { fetch?: unknown; WebSocket?: unknown; EventSource?: unknown };
delete roads.fetch;
delete roads.WebSocket;
delete roads.EventSource;

export {};

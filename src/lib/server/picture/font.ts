/** Which characters a TrueType font draws, and how wide, from its own tables. */
export interface Font {
	has(codePoint: number): boolean;
	/** In ems, without kerning. */
	width(text: string): number;
}

const SEGMENTS = 4;
const LAST_SEGMENT = 0xffff;

export function readFont(font: Buffer): Font {
	const glyphs = glyphsOf(font);
	const unitsPerEm = font.readUInt16BE(tableAt(font, 'head') + 18);
	const advances = font.readUInt16BE(tableAt(font, 'hhea') + 34);
	const metrics = tableAt(font, 'hmtx');
	const advance = (character: string) => {
		const glyph = glyphs.get(character.codePointAt(0)!) ?? 0;
		// All after the last one have the same width.
		return font.readUInt16BE(metrics + 4 * Math.min(glyph, advances - 1));
	};
	return {
		has: (codePoint) => glyphs.has(codePoint),
		width: (text) => [...text].reduce((sum, one) => sum + advance(one), 0) / unitsPerEm
	};
}

function tableAt(font: Buffer, tag: string): number {
	for (let i = 0; i < font.readUInt16BE(4); i++) {
		const at = 12 + i * 16;
		if (font.toString('latin1', at, at + 4) === tag) return font.readUInt32BE(at + 8);
	}
	throw new Error(`The font has no table ${tag}.`);
}

/** Glyphs by code point, from the tables of format 4 that every such font has. */
function glyphsOf(font: Buffer): Map<number, number> {
	const glyphs = new Map<number, number>();
	const table = tableAt(font, 'cmap');
	for (let i = 0; i < font.readUInt16BE(table + 2); i++) {
		const at = table + font.readUInt32BE(table + 4 + i * 8 + 4);
		if (font.readUInt16BE(at) === SEGMENTS) addSegments(font, at, glyphs);
	}
	if (glyphs.size === 0) throw new Error('The font has no character table in a supported format.');
	return glyphs;
}

/** Four lists one after the other: ends of all segments, starts, what to add, and where a list of glyphs is instead. */
function addSegments(font: Buffer, at: number, glyphs: Map<number, number>) {
	const bytes = font.readUInt16BE(at + 6);
	const ends = at + 14;
	const starts = ends + bytes + 2;
	const deltas = starts + bytes;
	const offsets = deltas + bytes;
	for (let i = 0; i < bytes; i += 2) {
		const start = font.readUInt16BE(starts + i);
		const end = font.readUInt16BE(ends + i);
		const offset = font.readUInt16BE(offsets + i);
		if (end === LAST_SEGMENT) continue;
		for (let point = start; point <= end; point++) {
			const listed = offset && font.readUInt16BE(offsets + i + offset + 2 * (point - start));
			const glyph = offset && !listed ? 0 : (listed || point) + font.readUInt16BE(deltas + i);
			if (glyph & LAST_SEGMENT) glyphs.set(point, glyph & LAST_SEGMENT);
		}
	}
}

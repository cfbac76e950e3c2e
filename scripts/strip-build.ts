/**
 * V8 keeps the source text of every module in memory, with two bytes for each character of a file that has even one
 * outside of Latin-1. After a build the server's files lose their comments and indentation, and such characters are
 * escaped; names and lines stay, for stack traces (docs/decisions/011).
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { minify } from 'terser';

const format = { ascii_only: true, comments: false, beautify: true, indent_level: 0 };

for (const file of globSync('build/server/**/*.js')) {
	const { code } = await minify(readFileSync(file, 'utf8'), {
		module: true,
		compress: false,
		mangle: false,
		format
	});
	if (code === undefined) throw new Error(`${file} could not be stripped`);
	writeFileSync(file, code);
}

import { execFileSync } from 'node:child_process';

const ROOT = process.getuid?.() === 0;
const NOBODY = 65_534;

/** What a module's script prints as JSON, run by somebody for whom rights on files count: they do not for root. */
export const asSomebody = (script: string): unknown =>
	JSON.parse(
		execFileSync(process.execPath, ['--input-type=module', '-e', script], {
			...(ROOT && { uid: NOBODY, gid: NOBODY }),
			cwd: '/',
			env: {},
			encoding: 'utf8',
			stdio: ['ignore', 'pipe', 'pipe']
		})
	);

/** Null when there is such a user: what lies in root's own home, Node included, is for nobody else. */
export function nobodyElse(): string | null {
	try {
		asSomebody(`await import(${JSON.stringify(import.meta.url)}); console.log(0)`);
		return null;
	} catch {
		return 'another user may not read this folder';
	}
}

import path from 'node:path';
import { onTestFinished } from 'vitest';
import {
	standInFolder,
	type FolderKind,
	type StandInFolder
} from '../../fakes/game/server-folders.ts';
import type { Behaviour } from '../../fakes/game/stand-in-java.ts';
import {
	signedIn,
	startDashboard,
	SUPERADMIN,
	type Dashboard,
	type Visitor
} from '../../harness.ts';

/** Nothing is probed, so that no other server on this machine can answer; the log and the process speak. */
export const ASKED_NOTHING = { 'enable-status': 'false', 'enable-rcon': 'false' };

export type Setup = {
	folder: StandInFolder;
	dashboard: Dashboard;
	/** The superadmin's browser. */
	ada: Visitor;
};

type Options = {
	properties?: Record<string, string | number>;
	behaviour?: Behaviour;
	below?: string;
	/** The dashboard's; what is a function is asked once the folder is there. */
	env?: (folder: StandInFolder) => Record<string, string>;
	/** Before the dashboard starts. */
	prepare?: (folder: StandInFolder) => Promise<unknown>;
};

/** A server's folder of that kind and the built dashboard on it, the stand-in first on its PATH. */
export async function open(
	kind: FolderKind | null,
	options: Options = {},
	atEnd: (cleanup: () => Promise<void>) => void = onTestFinished
): Promise<Setup> {
	const { properties = ASKED_NOTHING, behaviour, below } = options;
	const folder = await standInFolder(kind, {
		properties,
		...(behaviour && { behaviour }),
		...(below && { below })
	});
	atEnd(folder.remove);
	await options.prepare?.(folder);
	const dashboard = await startDashboard({
		env: {
			PATH: `${path.dirname(folder.java)}:/usr/bin:/bin`,
			SERVER_DIR: folder.dir,
			SCHEDULER: 'embedded',
			...options.env?.(folder)
		}
	});
	// Last in, first out: what runs in the folder ends before the folder goes.
	atEnd(dashboard.dispose);
	return { folder, dashboard, ada: await signedIn(dashboard, SUPERADMIN) };
}

/** Of the game as it was started last. */
export const newestPid = async ({ folder }: Setup) => (await folder.starts()).at(-1)!.pid;

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/** What a person reads on a page: no markup, no scripts, spaces collapsed. */
export async function pageText(visitor: Visitor, target: string): Promise<string> {
	const response = await visitor.fetch(target, { headers: { accept: 'text/html' } });
	const html = await response.text();
	return html
		.replace(/<(script|style|noscript)\b.*?<\/\1>/gs, '')
		.replace(/<!--.*?-->/gs, '')
		.replace(/<[^>]*>/g, ' ')
		.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ENTITIES[name] ?? '')
		.replace(/\s+/g, ' ');
}

export function isAlive(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch {
		return false;
	}
}

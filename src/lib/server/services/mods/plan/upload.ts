import { AppError } from '#core/errors';
import { jarProblem } from './jar-problem.ts';
import type { Known } from '../known.ts';
import { targetOf, type Target } from '../target.ts';
import type { Staged } from '../upload.ts';
import { checkSet } from './check.ts';
import { createDraft, type Draft } from './draft.ts';
import { finish, type Planned } from './finish.ts';
import { bareName, installedJars, modsFor, safeName } from './jars.ts';
import { locked } from './request.ts';
import { ownIds } from './requirements.ts';
import { enableNeeded } from './resolve.ts';
import type { Rules } from './set.ts';
import type { Jar } from './types.ts';

type Wish = {
	known: Known;
	mayTouchLocked: boolean;
	satisfies: Rules['satisfies'];
};

/** An upload is installed, or takes the place of the one file with the same mod. AppError `invalid`, `conflict`, `forbidden`. */
export function planUpload(staged: Staged, { known, mayTouchLocked, satisfies }: Wish): Planned {
	const target = targetOf(known.server);
	const problem = jarProblem(staged.facts, target.loader);
	if (problem) throw new AppError('invalid', problem, { code: 'bad-jar' });
	const draft = createDraft(installedJars(known, target));
	const old = inItsPlace(draft, staged, target);
	if (old?.locked && !mayTouchLocked) throw locked(old, 'replaced');
	const jar = uploadedJar(staged, { target, others: draft.installed.filter((one) => one !== old) });
	draft.change(old ? { is: 'replace', old, jar, reason: null } : { is: 'add', jar, reason: null });
	const rules = { target, satisfies };
	enableNeeded(draft, rules);
	checkSet(draft, rules);
	return finish(draft, {
		known,
		target,
		kind: 'install',
		dependents: [],
		orphans: [],
		changelogs: () => []
	});
}

function inItsPlace(draft: Draft, { sha512, facts }: Staged, { loader }: Target): Jar | null {
	const twin = draft.installed.find((jar) => jar.sha512 === sha512);
	if (twin)
		throw new AppError('conflict', `Exactly this jar is there already: ${twin.fileName}.`, {
			code: 'nothing-to-do'
		});
	const ids = ownIds({ metadata: modsFor(facts, loader) });
	const same = draft.installed.filter((jar) => ownIds(jar).some((id) => ids.includes(id)));
	if (same.length > 1)
		throw new AppError(
			'conflict',
			`Several files hold this mod: ${same.map(({ fileName }) => fileName).join(', ')}. Remove all but one first.`,
			{ code: 'duplicate' }
		);
	return same[0] ?? null;
}

function uploadedJar(
	{ path, name, size, sha512, facts }: Staged,
	{ target, others }: { target: Target; others: Jar[] }
): Jar {
	const metadata = modsFor(facts, target.loader) ?? [];
	const mod = metadata.find(({ nested }) => !nested);
	const taken = new Set(others.map((jar) => bareName(jar.fileName)));
	const derived = safeName(`${mod?.modId ?? 'library'}-${mod?.version ?? sha512.slice(0, 8)}`);
	const fileName = [name, derived].find((one) => one && !taken.has(one.toLowerCase()));
	if (!fileName)
		throw new AppError(
			'conflict',
			`There is another file ${name ?? derived}. Rename one of them.`,
			{
				code: 'name-taken'
			}
		);
	return {
		fileName,
		enabled: true,
		title: mod?.name ?? fileName,
		number: mod?.version ?? null,
		modId: mod?.modId ?? null,
		side: mod?.side ?? 'unknown',
		size,
		sha512,
		version: null,
		project: null,
		facts,
		metadata,
		presumed: [],
		library: facts.ok && facts.library,
		locked: false,
		staged: path
	};
}

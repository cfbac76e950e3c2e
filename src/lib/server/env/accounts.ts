import type { Role } from '#schemas/common';
import { foldName, looksLikePhc } from '#core/credentials';
import type { DemoAccount } from './secrets.ts';
import type { Values, VariableName } from './values.ts';

/** The two accounts of the environment, and what can be wrong with them together. */

export type ConfiguredAccount = { name: string; password: string; role: Role };
/** Whether a variable is set at all, valid or not. */
type IsSet = (name: VariableName) => boolean;

export function accountProblems(values: Values, isSet: IsSet, demo: boolean): string[] {
	return [
		...pairProblems('SUPERADMIN', isSet, !demo),
		...pairProblems('ADMIN', isSet, false),
		...nameProblems(values, demo),
		...passwordProblems(values)
	];
}

function pairProblems(prefix: 'SUPERADMIN' | 'ADMIN', isSet: IsSet, required: boolean): string[] {
	const pair = [`${prefix}_USERNAME`, `${prefix}_PASSWORD`] as const;
	const missing = pair.filter((name) => !isSet(name));
	if (missing.length === 0 || (missing.length === 2 && !required)) return [];
	return missing.map((name) => {
		const other = pair.find((one) => one !== name);
		return missing.length === 2
			? `${name}: is required with SERVER_DIR. Add it to .env.`
			: `${name}: is missing although ${other} is set. Add it, or remove ${other}.`;
	});
}

function nameProblems({ SUPERADMIN_USERNAME, ADMIN_USERNAME }: Values, demo: boolean): string[] {
	const above = SUPERADMIN_USERNAME ?? (demo ? 'superadmin' : undefined);
	if (!above || !ADMIN_USERNAME || foldName(above) !== foldName(ADMIN_USERNAME)) return [];
	return [
		'ADMIN_USERNAME: is the same name as that of the superadmin (case and look do not count). Choose another one.'
	];
}

function passwordProblems(values: Values): string[] {
	const pairs = [
		['SUPERADMIN_PASSWORD', values.SUPERADMIN_PASSWORD, values.SUPERADMIN_USERNAME],
		['ADMIN_PASSWORD', values.ADMIN_PASSWORD, values.ADMIN_USERNAME]
	] as const;
	return pairs.flatMap(([variable, password, name]) =>
		password && name && !looksLikePhc(password) && foldName(password) === foldName(name)
			? [`${variable}: is the user name itself. Choose another one.`]
			: []
	);
}

/** Demo accounts replace those that are not configured; a superadmin may be configured alone. */
export function accountsOf(values: Values, demo: DemoAccount[]): ConfiguredAccount[] {
	const { SUPERADMIN_USERNAME, SUPERADMIN_PASSWORD, ADMIN_USERNAME, ADMIN_PASSWORD } = values;
	const spare = (role: Role) => demo.filter((account) => account.role === role);
	const superadmin =
		SUPERADMIN_USERNAME && SUPERADMIN_PASSWORD
			? [{ name: SUPERADMIN_USERNAME, password: SUPERADMIN_PASSWORD, role: 'superadmin' as const }]
			: spare('superadmin');
	const admin =
		ADMIN_USERNAME && ADMIN_PASSWORD
			? [{ name: ADMIN_USERNAME, password: ADMIN_PASSWORD, role: 'admin' as const }]
			: SUPERADMIN_USERNAME
				? []
				: spare('admin');
	return [...superadmin, ...admin];
}

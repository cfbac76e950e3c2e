import type { Role } from '#schemas/common';
import type { LogMask } from '#minecraft/mask';

type Deps = {
	mask: (input: { secrets: Iterable<string>; addresses: boolean }) => LogMask;
	/** All secrets known now. What was once a secret stays hidden as long as the dashboard runs. */
	secrets: () => Promise<string[]>;
};
export type Masks = () => Promise<Record<Role, LogMask>>;

/** The masks of both roles, rebuilt when a new secret becomes known. */
export function createMasks({ secrets, mask }: Deps): Masks {
	const known = new Set<string>();
	const make = () => ({
		admin: mask({ secrets: known, addresses: true }),
		superadmin: mask({ secrets: known, addresses: false })
	});
	let masks = make();
	return async () => {
		const before = known.size;
		for (const secret of await secrets()) known.add(secret);
		if (known.size > before) masks = make();
		return masks;
	};
}

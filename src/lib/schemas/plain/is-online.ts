type Player = { name: string | null; uuid: string | null };

/** By id; by name where the server tells no ids. */
export const isOnline = (online: readonly Player[], { name, uuid }: Player): boolean =>
	online.some((one) => (one.uuid === null ? one.name === name : one.uuid === uuid));

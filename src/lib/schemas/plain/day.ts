/** `2 Jan 2026`, in the machine's own time zone: for sentences that the server writes. */
export const day = (at: string) =>
	new Date(at).toLocaleDateString('en-GB', { dateStyle: 'medium' });

/** Whether the browser already has the content with that tag. */
export function hasNewest({ headers }: Request, etag: string): boolean {
	const known = headers.get('if-none-match')?.split(',') ?? [];
	return known.some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')));
}

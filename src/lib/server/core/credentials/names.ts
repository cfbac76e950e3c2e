/** How account names are compared: two spellings that look or read the same are the same name. */
export const foldName = (name: string) =>
	name
		.normalize('NFKC')
		.replace(/[\p{Cc}\p{Cf}]/gu, '')
		.toUpperCase()
		.toLowerCase()
		.normalize('NFKC')
		.trim();

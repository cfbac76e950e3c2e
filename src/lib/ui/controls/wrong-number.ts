/** Why the browser does not send a number, in the words in which the server refuses one. */
export function wrongNumber(
	validity: Pick<ValidityState, 'valueMissing' | 'rangeUnderflow' | 'rangeOverflow'>,
	{ min, max }: { min: number; max: number }
): string {
	if (validity.valueMissing) return 'A number is needed';
	if (validity.rangeUnderflow) return `At least ${min}`;
	if (validity.rangeOverflow) return `At most ${max}`;
	return 'A whole number';
}

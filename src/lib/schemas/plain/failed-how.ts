/** What happened with a version that was tried here, in the words of its operation. */
export const failedHow = ({ ready }: { ready?: boolean | undefined }) =>
	ready ? 'did not stay up' : 'did not start';

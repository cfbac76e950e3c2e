import type { ModUpdateState } from '../mod.ts';

/** Whether "update all" takes it: a locked mod stays as it is, and so does one whose newer version did not start here. */
export const isOffered = ({
	updateAvailable,
	locked,
	leftOut
}: Pick<ModUpdateState, 'updateAvailable' | 'locked' | 'leftOut'>) =>
	updateAvailable && !locked && !leftOut;

/** What happened with a version that was tried here, in the words of its operation. */
export const failedHow = ({ ready }: { ready?: boolean | undefined }) =>
	ready ? 'did not stay up' : 'did not start';

/** What has become of a server that was not ready in time, and what to do. */
export const LEFT_RUNNING =
	'It was not stopped, as it may still come up. Give it more time, or stop it.';

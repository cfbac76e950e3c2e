/** What has become of a server that was not ready in time, and what to do. */
export const LEFT_RUNNING = 'It was left running: wait for it to finish loading, or stop it.';

export { createFollower, POLL_MS, type Follower } from './follow.ts';

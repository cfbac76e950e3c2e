export { cronDaemonProblem } from './cron-daemon.ts';
export { createFileCrontab, createUserCrontab, type Crontab } from './crontab.ts';

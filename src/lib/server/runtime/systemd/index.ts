export { createSystemdRuntime, type SystemdScope } from './systemd.ts';

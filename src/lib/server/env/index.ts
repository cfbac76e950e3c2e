export { EnvError, readEnv, type Env, type ServerConfig } from './env.ts';
export { keepTaskEnvironment } from './task-environment.ts';
export { VARIABLE_NAMES } from './values.ts';

export { EnvError, readEnv, type Env, type RuntimeConfig, type ServerConfig } from './env.ts';
export { keepTaskEnvironment } from './task-environment.ts';
export { VARIABLE_NAMES } from './values.ts';

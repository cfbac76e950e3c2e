export { compress } from './compress.ts';
export { createHostCheck, requireOwnOrigin } from './origin.ts';
export { incomingFile } from './upload.ts';

/**
 * What a route is written with: `endpoint`, `query` and `command` for programs, `page`, `layout` and `action` for people. Each
 * turns what a service throws into an answer; nothing else knows status codes.
 */
export { accepted, json, jsonText, problem, statusOf } from './answers.ts';
export { action, actionName, uploadAction } from './actions.ts';
export { readBody } from './body.ts';
export { command, endpoint, query } from './endpoints.ts';
export { takeNotice } from './notice.ts';
export { layout, orProblem, page, within } from './pages.ts';
export { found, parse, parseParams } from './parse.ts';

export { decide, requireRole, sessionRole } from './access.ts';
export { compress } from './compress.ts';
export { createHostCheck, requireOwnOrigin } from './origin.ts';

/**
 * What routes are written with: `endpoint` for programs, `page`, `layout` and `formActions` for people. Each names
 * its entry in the table of `#api`, repeats the access check with the parsed inputs, and turns what a service throws
 * into an answer; nothing else knows status codes.
 */
export {
	accepted,
	begun,
	json,
	jsonPieces,
	jsonText,
	problem,
	statusOf,
	watched
} from './answers.ts';
export { actionName, formActions } from './actions.ts';
export { hasNewest } from './etag.ts';
export { readBody } from './body.ts';
export { endpoint } from './endpoints.ts';
export { takeNotice } from './notice.ts';
export { layout, orProblem, page, within } from './pages.ts';
export { found, parse, parseAddress } from './parse.ts';
export { isPutAway, putAway } from './put-away.ts';
export { timeZoneOf } from './time-zone.ts';

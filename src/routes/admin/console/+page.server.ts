import { toRow } from '$lib/schemas/operation-row';
import { formActions, orProblem, page, parse, within } from '#core/http';
import { ANNOUNCEMENT_MAX } from '$lib/schemas/server';
import { LogPageQuery } from '$lib/schemas/log';
import { COMMAND_MAX } from '$lib/schemas/plain/limits';
import { Answers } from './answers';
import { isStop } from './is-stop';

/** What is in progress is among them. */
const NEWEST = 5;
const LOG_LINES = '100';
/** For how long a page waits to be told the commands. */
const COMMANDS_MS = 300;
const answers = new Answers();

/** The newest lines; that they cannot be read is said in their place. */
function newestLines({ app, session }: App.Locals, signal: AbortSignal) {
	const query = parse(LogPageQuery, { lines: LOG_LINES });
	return orProblem(app.logs.read(query, session!.user.role, signal), () => true);
}

export const load = page('page /admin/console', async (event) => {
	const { locals, url, depends, request, isDataRequest } = event;
	depends('craftwarden:console');
	const { rcon } = await locals.app.installation();
	const answered = answers.of(locals.session!.id);
	// The page of a running app follows the log, and asks for the commands, by itself.
	const log = isDataRequest ? null : await newestLines(locals, request.signal);
	const list = isDataRequest ? null : await within(COMMANDS_MS, locals.app.console.commands());
	const operations = (await locals.app.operations.list(NEWEST)).map(toRow);
	return {
		...{ operations, answered, log, rcon: rcon.enabled, refused: locals.app.rconRefusal() },
		commands: list?.commands.map(({ name }) => name) ?? [],
		announcementMax: ANNOUNCEMENT_MAX,
		/** What stands in the field, to be run or not. */
		command: url.searchParams.get('command')?.slice(0, COMMAND_MAX) ?? ''
	};
});

export const actions = formActions('page /admin/console', {
	run: async ({ body: { command }, locals }) => {
		const { online } = (await locals.app.status.get()).players;
		// The same question as for the Stop button.
		if (isStop(command) && online) return { location: '/admin/confirm?do=stop' };
		const at = new Date().toISOString();
		// An empty answer is an answer too: the page says what happened, and a reload runs nothing. A wrong
		// field belongs to the form; the rest happened to the command.
		const asked = locals.app.console.run(command, locals.actor);
		const { value, problem } = await orProblem(asked, (kind) => kind !== 'invalid');
		answers.add(locals.session!.id, { at, command, spans: value?.spans ?? [], problem });
	},
	clear: async ({ locals }) => {
		answers.clear(locals.session!.id);
	}
});

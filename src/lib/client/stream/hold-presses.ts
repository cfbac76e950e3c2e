import { beforeNavigate, goto } from '$app/navigation';
import { stayedIn } from '../browser-env.ts';
import type { Reach } from './reach.svelte.ts';

/**
 * A press while the dashboard cannot be reached stays on the page, along with what was typed: the browser's own error
 * would replace both. Call while the root layout is set up; the returned handler is for `submit` of the window.
 */
export function holdPresses(reach: Reach): (event: SubmitEvent) => void {
	let passing: string | null = null;
	beforeNavigate(({ type, to, delta, cancel }) => {
		if (type === 'leave' || !to || to.url.origin !== location.origin) return;
		const { href } = to.url;
		if (passing === href) return void (passing = null);
		if (!reach.doubtful) return;
		cancel();
		void reach.ask(type === 'form' ? 'form' : 'link').then((answers) => {
			if (!answers) return;
			passing = href;
			if (delta) history.go(delta);
			else void goto(href);
		});
	});

	/** Forms sent by JavaScript report their own result. */
	const isPlain = ({ defaultPrevented, target }: SubmitEvent) =>
		!defaultPrevented && (target as HTMLFormElement).method === 'post';
	let sent: EventTarget | null = null;
	let asking = false;
	return (event) => {
		if (!isPlain(event)) return;
		const { target, submitter } = event;
		if (sent === target) return void (sent = null);
		event.preventDefault();
		// A second press of an impatient person.
		if (asking) return;
		asking = true;
		void reach.ask('form').then((answers) => {
			asking = false;
			if (!answers) return stayedIn();
			sent = target;
			(target as HTMLFormElement).requestSubmit(submitter);
		});
	};
}

import type { Attachment } from 'svelte/attachments';
import type { Reach } from './reach.svelte.ts';

/** What asks the dashboard. A `type="button"` acts on the page alone, and works without it. */
const ASKING = 'a[href^="/"], a[href^="?"], button:not([type="button"])';

/**
 * Nothing below this element that needs the dashboard can be pressed while that is out of reach: from the first doubt
 * on a press asks first, and once the connection is known to be lost they also look switched off. None of it is really
 * disabled, so the focus stays, and whoever presses is told why.
 */
export const holdControls =
	(reach: Reach): Attachment<HTMLElement> =>
	(root) => {
		let passing = false;
		const hold = (event: Event) => {
			const target = event.target as Element;
			const pressed = event.type === 'submit' ? target : target.closest(ASKING);
			if (!pressed || passing || !reach.doubtful) return;
			event.preventDefault();
			event.stopPropagation();
			const press = pressed.matches('a') ? 'link' : 'form';
			void reach.ask(press).then((answers) => {
				if (!answers || !pressed.isConnected) return;
				passing = true;
				if (event.type === 'submit')
					(pressed as HTMLFormElement).requestSubmit((event as SubmitEvent).submitter);
				else (pressed as HTMLElement).click();
				passing = false;
			});
		};
		root.addEventListener('click', hold, { capture: true });
		root.addEventListener('submit', hold, { capture: true });
		return () => {
			root.removeEventListener('click', hold, { capture: true });
			root.removeEventListener('submit', hold, { capture: true });
		};
	};

/** Says to everybody, while the connection is lost, what cannot be pressed. */
export const switchOff =
	(reach: Reach): Attachment<HTMLElement> =>
	(root) => {
		if (reach.lost === null) return;
		const off = new Set<Element>();
		const switchOffAll = () => {
			for (const one of root.querySelectorAll(ASKING)) {
				if (one.hasAttribute('aria-disabled')) continue;
				one.setAttribute('aria-disabled', 'true');
				off.add(one);
			}
		};
		switchOffAll();
		const watch = new MutationObserver(switchOffAll);
		watch.observe(root, { childList: true, subtree: true, attributeFilter: ['aria-disabled'] });
		return () => {
			watch.disconnect();
			for (const one of off) one.removeAttribute('aria-disabled');
		};
	};

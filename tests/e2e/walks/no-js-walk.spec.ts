import { startGame } from '../game.ts';
import { expect, noSidewaysScroll, signIn, test } from '../fixtures.ts';
import { ADMIN_PAGES, addressOf, furnish, MISSING_PAGES, PUBLIC_PAGES } from '../pages.ts';

test.use({ javaScriptEnabled: false, viewport: { width: 1280, height: 844 } });
test.setTimeout(240_000);

/** In the page: visible controls that do nothing without a script. */
function deadControls(): string[] {
	const shown = (element: Element) =>
		element.checkVisibility({ visibilityProperty: true }) &&
		element.closest('[aria-hidden="true"]') === null;
	const words = (element: Element) => element.outerHTML.replace(/\s+/g, ' ').slice(0, 160);
	const dead = (control: Element) => {
		if (control instanceof HTMLAnchorElement) return !control.getAttribute('href');
		if (control instanceof HTMLButtonElement)
			return !control.disabled && (control.type === 'button' || !control.form);
		if (control instanceof HTMLFormElement)
			// Also those outside the form that name it.
			return ![...control.elements].some((one) =>
				one.matches('button:not([type=button]), input[type=submit]')
			);
		// A field that no form sends, unless it only opens something or is read-only.
		const field = control as HTMLInputElement;
		return !field.form && !field.readOnly && !field.disabled;
	};
	const controls = document.querySelectorAll('a, button, form, input, select, textarea');
	const roles = document.querySelectorAll(
		'[role=button]:not(button), [role=switch]:not(input, button), [role=tab]:not(a, button)'
	);
	return [
		...[...controls].filter((control) => shown(control) && dead(control)),
		...[...roles].filter((one) => shown(one) && !one.closest('a, form, summary'))
	].map(words);
}

/** In the page: scoped classes that no style sheet knows, because the page does not link the one that does. */
function withoutStyles(): string[] {
	const rules = [...document.styleSheets]
		.flatMap((sheet) => [...sheet.cssRules])
		.map(({ cssText }) => cssText)
		.join();
	const used = [...document.querySelectorAll('[class*=svelte-]')].flatMap(({ classList }) => [
		...classList
	]);
	return [...new Set(used)].filter((name) => name.startsWith('svelte-') && !rules.includes(name));
}

test('every page reads without JavaScript, and has no control that does nothing', async ({
	page,
	dashboard
}) => {
	const look = async (target: string, status = 200) => {
		const response = await page.goto(target);
		expect(response?.status(), target).toBe(status);
		await expect(page.getByRole('heading', { level: 1 }), target).toHaveCount(1);
		expect(await page.evaluate(deadControls), target).toEqual([]);
		expect(await page.evaluate(withoutStyles), target).toEqual([]);
		await expect(page.locator('[aria-busy=true], .skeleton'), target).toHaveCount(0);
		await noSidewaysScroll(page);
	};
	for (const target of PUBLIC_PAGES) await look(target);
	// Before, since the overview loads itself again while it finds out what needs attention.
	const facts = await furnish(dashboard);
	await signIn(page);
	for (const target of ADMIN_PAGES) await look(addressOf(target, facts));
	for (const target of MISSING_PAGES) await look(target, 404);
	// A running server has controls of its own.
	await startGame(dashboard);
	for (const target of ['/', '/admin', '/admin/players', '/admin/chat', '/admin/console'])
		await look(target);
});

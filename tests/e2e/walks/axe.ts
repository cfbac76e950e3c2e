import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Returns what axe reports about the page, each as its rule and its element. */
export async function flaws(page: Page): Promise<string[]> {
	// By then nothing is drawn anew.
	await expect(page.getByText(/^\s*(Finding out what needs|Still finding out)/)).toHaveCount(0);
	// Scrolled to its end: only there must nothing lie under a sticky bar.
	await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
	const found = await analyse(looking({ page }).withTags(TAGS));
	const flawed = [];
	for (const flaw of found)
		if (flaw.rule !== 'target-size' || (await isTooSmall(page, flaw.selector))) flawed.push(flaw);
	return flawed.map(told);
}

/** In the dark theme, after the light one: only colours differ. */
export async function flawsInTheDark(page: Page): Promise<string[]> {
	await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
	// Half a megabyte that the page holds already.
	const found = await analyse(looking({ page, axeSource: 'void axe' }).withRules('color-contrast'));
	return found.map(told);
}

/** Whether a target is too small where all of it is seen, and not half under the sticky header. */
async function isTooSmall(page: Page, selector: string): Promise<boolean> {
	await page.locator(selector).evaluate((target) => target.scrollIntoView({ block: 'center' }));
	const found = await analyse(looking({ page }).include(selector).withRules('target-size'));
	return found.length > 0;
}

/**
 * Runs in the page itself, since every frame is same-origin: a blank page for each check takes twice as long. So does
 * describing every element that passes.
 */
const looking = (where: ConstructorParameters<typeof AxeBuilder>[0]) =>
	new AxeBuilder(where).setLegacyMode().options({ resultTypes: ['violations'] });

type Flaw = { rule: string; selector: string; html: string };

const told = ({ rule, html }: Flaw) => `${rule}: ${html}`;

/** One for each element, so that none hides behind the first of its rule. */
async function analyse(builder: AxeBuilder): Promise<Flaw[]> {
	const { violations } = await builder.analyze();
	return violations.flatMap(({ id, nodes }) =>
		nodes.map(({ target, html }) => ({ rule: id, selector: String(target[0]), html }))
	);
}

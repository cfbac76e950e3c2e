import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Returns what axe reports about the page, each as its rule and the first element. */
export async function flaws(page: Page): Promise<string[]> {
	// Scrolled to its end: only there must nothing lie under a sticky bar.
	await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
	return analyse(looking({ page }).withTags(TAGS));
}

/** In the dark theme, after the light one: only colours differ. */
export async function flawsInTheDark(page: Page): Promise<string[]> {
	await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
	// Half a megabyte that the page holds already.
	return analyse(looking({ page, axeSource: 'void axe' }).withRules('color-contrast'));
}

/**
 * Runs in the page itself, since every frame is same-origin: a blank page for each check takes twice as long. So does
 * describing every element that passes.
 */
const looking = (where: ConstructorParameters<typeof AxeBuilder>[0]) =>
	new AxeBuilder(where).setLegacyMode().options({ resultTypes: ['violations'] });

async function analyse(builder: AxeBuilder): Promise<string[]> {
	const { violations } = await builder.analyze();
	return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}

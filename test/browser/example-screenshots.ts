import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import sharp from 'sharp';
import { LANGUAGES } from '#contract/shared/languages.ts';
import { EXAMPLES, exampleUrl } from '#server/entry/pages/landing/landing-page.ts';
import { DESIGNS, SITES, withDesign } from '../pages/support/designs.ts';
import { pageSettings } from '../pages/support/site.ts';
import { startSiteViewer } from './support/site-viewer.ts';

const ENGLISH = SITES['ordinary']!;
/** The fields of the blocks that the screenshots show. */
const GERMAN_BLOCKS = [
  {},
  { title: 'Der Laden', description: 'Becher, die summen, und Schalen, die schweigen' },
  { title: 'Kiln Recordings, das Album', description: 'Elf Lieder, alle glasiert' },
  { title: 'Briefe aus dem Atelier' },
  { title: 'Workshop buchen' },
];
const SITE_BY_LANGUAGE = {
  en: ENGLISH,
  de: {
    ...ENGLISH,
    bio: 'Keramikerin und Sounddesignerin. Ich mache Becher, die summen. Aufträge wieder ab Frühling.',
    location: 'Lissabon, Portugal',
    mood: 'An der Drehscheibe',
    settings: pageSettings({ lang: 'de', pronouns: 'sie/ihr' }),
    blocks: GERMAN_BLOCKS.map((fields, index) => ({ ...ENGLISH.blocks![index]!, ...fields })),
  },
};

/** Takes the landing page's phone-size screenshots, at twice their displayed size. */
export async function takeExampleScreenshots(browser: Browser): Promise<void> {
  const page = await browser.newPage({
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 2,
  });
  const show = await startSiteViewer(page);
  for (const name of EXAMPLES)
    for (const language of LANGUAGES) {
      await show(withDesign(SITE_BY_LANGUAGE[language], DESIGNS[name]!));
      await page.waitForLoadState('networkidle');
      const folder = new URL('../../server/entry/pages/landing/', import.meta.url);
      await sharp(await page.screenshot())
        .resize({ width: 448, height: 970, position: 'top' })
        .webp({ quality: 80 })
        .toFile(fileURLToPath(new URL(`.${exampleUrl(name, language)}`, folder)));
    }
  await page.close();
}

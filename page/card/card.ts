import { titleOf } from '../head.ts';
import { coloursOf, type Palette } from '../palette.ts';
import { fontsOf } from '../fonts.ts';
import { optionsOf } from '../options.ts';
import type { PublicSite, RenderContext } from '../public-site.ts';
import { packageKey, bundledFamilies } from '../font-files.ts';

/** Text of the picture that others show for a link to a page. */
export interface Card {
  /** The account's name, which can always be drawn. */
  name: string;
  title: string;
  bio: string;
  mood: string;
  /** Where the page is, as people say it. */
  address: string;
  colours: Palette;
  /** The file of its owner's picture, if it is stored here: others are not fetched. */
  avatar: Uint8Array | undefined;
  /** The typeface of headings, if it is one of ours. */
  typeface: string | undefined;
}

/** Characters of a text that can find room. */
const MAX_TEXT_LENGTH = 400;

/** The card of a site; one that follows its visitors is shown as by day. */
export function cardOf(site: PublicSite, { url }: RenderContext, avatar?: Uint8Array): Card {
  const colours = coloursOf({ theme_id: site.themeId, custom_theme: site.customTheme });
  const [own] = bundledFamilies(fontsOf(site, optionsOf(site).look).heading);
  return {
    name: site.name,
    title: singleLine(titleOf(site)),
    bio: singleLine(site.bio ?? ''),
    mood: singleLine(site.mood ?? ''),
    address: url.replace(/^https?:\/\//, ''),
    colours: 'single' in colours ? colours.single.normal : colours.light.normal,
    avatar,
    typeface: own && packageKey(own),
  };
}

/** A text in one line, with each letter as one character where there is one. */
function singleLine(text: string): string {
  const line = text
    .slice(0, 4 * MAX_TEXT_LENGTH)
    .normalize('NFC')
    .replace(/[\s\p{Cc}]+/gu, ' ');
  return [...line].slice(0, MAX_TEXT_LENGTH).join('').toWellFormed().trim();
}

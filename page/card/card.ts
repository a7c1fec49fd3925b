import { titleOf } from '../head.ts';
import { coloursOf, type Palette } from '../palette.ts';
import { fontsOf } from '../fonts.ts';
import { optionsOf } from '../options.ts';
import type { PublicSite, Showing } from '../public-site.ts';
import { keyOfFamily, ownFamilies } from '../typefaces.ts';

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
const ROOM = 400;

/** The card of a site; one that follows its visitors is shown as by day. */
export function cardOf(site: PublicSite, { url }: Showing, avatar?: Uint8Array): Card {
  const colours = coloursOf({ theme_id: site.themeId, custom_theme: site.customTheme });
  const [own] = ownFamilies(fontsOf(site, optionsOf(site).look).head);
  return {
    name: site.name,
    title: plain(titleOf(site)),
    bio: plain(site.bio ?? ''),
    mood: plain(site.mood ?? ''),
    address: url.replace(/^https?:\/\//, ''),
    colours: 'every' in colours ? colours.every.usual : colours.light.usual,
    avatar,
    typeface: own && keyOfFamily(own),
  };
}

/** A text in one line, with each letter as one character where there is one. */
function plain(text: string): string {
  const line = text
    .slice(0, 4 * ROOM)
    .normalize('NFC')
    .replace(/[\s\p{Cc}]+/gu, ' ');
  return [...line].slice(0, ROOM).join('').toWellFormed().trim();
}

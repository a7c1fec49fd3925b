import { hash } from 'node:crypto';
import { safeLine } from '#contract/safe-line.ts';
import { fontKey, bundledFamilies } from '../design/font-files.ts';
import { fontsOf } from '../design/fonts.ts';
import { colorsOf, type Palette } from '../design/palette.ts';
import { optionsOf } from '../fields/options.ts';
import { titleOf } from '../head.ts';
import type { PublicSite, RenderContext } from '../public-site.ts';
import { designOf } from '../themes/index.ts';

/** Content of the link preview image. */
export interface Card {
  /** Display name, which is shown if the fonts support no character of the title. */
  name: string;
  title: string;
  bio: string;
  mood: string;
  /** Page URL without the protocol. */
  address: string;
  /** Name of the installation. */
  instance: string | undefined;
  colors: Palette;
  /** Avatar file if the service stores it. External avatars are not fetched. */
  avatar: Uint8Array | undefined;
  hasSquareAvatar: boolean;
  /** Set if the heading font is bundled. */
  headingFontKey: string | undefined;
}

const MAX_TEXT_LENGTH = 400;

/** If the page has a light and a dark mode, uses the light colors. */
export function cardOf(
  site: PublicSite,
  { url }: RenderContext,
  { avatar, instance }: { avatar?: Uint8Array | undefined; instance?: string | undefined } = {},
): Card {
  const { theme_id, custom_theme } = site;
  const options = optionsOf(site);
  const { look, avatar: shape } = options.appearance.settings;
  const colors = colorsOf({ theme_id, custom_theme, look });
  const [headingFamily] = bundledFamilies(fontsOf(site, options).heading);
  return {
    name: site.name,
    title: singleLine(titleOf(site)),
    bio: singleLine(site.bio ?? ''),
    mood: singleLine(site.mood ?? ''),
    address: url.replace(/^https?:\/\//, ''),
    instance,
    colors: 'single' in colors ? colors.single.normal : colors.light.normal,
    avatar,
    hasSquareAvatar: shape
      ? shape === 'square' || shape === 'cover'
      : designOf(theme_id, look).hasSquareAvatar === true,
    headingFontKey: headingFamily && fontKey(headingFamily),
  };
}

/** For the address of the preview image, because chats keep a picture for as long as its address. */
export function cardVersionOf(site: PublicSite, context: RenderContext, instance?: string): string {
  const content = JSON.stringify([cardOf(site, context, { instance }), site.avatar_url]);
  return hash('sha256', content, 'hex').slice(0, 5);
}

/** Composes characters (NFC). */
function singleLine(text: string): string {
  return safeLine(text.slice(0, 4 * MAX_TEXT_LENGTH).normalize('NFC'), MAX_TEXT_LENGTH);
}

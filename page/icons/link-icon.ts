import {
  BRAND_ICONS,
  GENERIC_ICONS,
  ICONS,
  type IconName,
  isIconName,
  NO_ICON,
} from '#contract/icons.ts';
import { type Fields, textOf } from '../fields.ts';
import { serviceIcon } from './service-hosts.ts';

const EMOJI = /\p{RGI_Emoji}/gv;
/** More than three emoji take, in UTF-16 code units. */
const MAX_EMOJI_CODE_UNITS = 100;

/**
 * The icon of a link: what its owner chose, else the one of the service that it leads to, else the one of
 * its name. It is the name of an icon or one to three emoji.
 */
export function linkIcon(link: Fields, target: string, label = ''): string | undefined {
  const chosen = textOf(link, 'icon');
  if (chosen === NO_ICON) return undefined;
  if (chosen && (isIconName(chosen) || isEmojiIcon(chosen))) return chosen;
  const found = serviceIcon(target);
  return found && found in BRAND_ICONS ? found : (BY_LABEL.get(label.toLowerCase()) ?? found);
}

/** Software that runs at hosts of people's own, so only the name of a link can say that it is one. */
const SELF_HOSTED: readonly IconName[] = [
  'forgejo',
  'ghost',
  'gitea',
  'gitlab',
  'lemmy',
  'mastodon',
  'matrix',
  'misskey',
  'peertube',
  'pixelfed',
  'wordpress',
];

/** Icons by names of links, such as Mail or Mastodon. */
const BY_LABEL = new Map(
  [...SELF_HOSTED, ...(Object.keys(GENERIC_ICONS) as IconName[])].map((name) => [
    ICONS[name].toLowerCase(),
    name,
  ]),
);

/** Emoji are counted, as Node would take a second to compile an expression that says how many. */
function isEmojiIcon(text: string): boolean {
  const emoji = text.length <= MAX_EMOJI_CODE_UNITS ? (text.match(EMOJI) ?? []) : [];
  return emoji.length >= 1 && emoji.length <= 3 && emoji.join('') === text;
}

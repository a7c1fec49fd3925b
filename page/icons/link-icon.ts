import {
  BRAND_ICONS,
  GENERIC_ICONS,
  ICONS,
  type IconName,
  isIconName,
  NO_ICON,
} from '#contract/shared/icons.ts';
import { type Fields, textOf } from '../fields/fields.ts';
import { serviceIcon } from './service-hosts.ts';

const EMOJI_PATTERN = /\p{RGI_Emoji}/gv;
/** Three emoji are never longer. */
const MAX_EMOJI_CODE_UNITS = 100;

/**
 * Returns an icon name or one to three emoji: the owner's choice, else the brand icon of the
 * service, else the icon that matches the label, else a generic icon for the URL.
 */
export function linkIcon(link: Fields, target: string, label = ''): string | undefined {
  const chosenIcon = chosenIconOf(link, 'icon');
  if (chosenIcon) return chosenIcon === NO_ICON ? undefined : chosenIcon;
  const urlIcon = serviceIcon(target);
  return urlIcon && Object.hasOwn(BRAND_ICONS, urlIcon)
    ? urlIcon
    : (ICON_BY_LABEL.get(label.toLowerCase()) ?? urlIcon);
}

export function chosenIconOf(fields: Fields, name: string): string | undefined {
  const icon = textOf(fields, name);
  return icon && (icon === NO_ICON || isIconName(icon) || isEmojiIcon(icon)) ? icon : undefined;
}

/** Self-hosted software runs on any host, so only the label of a link can identify it. */
const SELF_HOSTED_SERVICES: readonly IconName[] = [
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

/** By lower-case label, such as `mail` or `mastodon`. */
const ICON_BY_LABEL = new Map(
  [...SELF_HOSTED_SERVICES, ...(Object.keys(GENERIC_ICONS) as IconName[])].map((name) => [
    ICONS[name].toLowerCase(),
    name,
  ]),
);

/** Counts the matches, because Node takes a second to compile this pattern with a repeat count. */
function isEmojiIcon(text: string): boolean {
  const emoji = text.length <= MAX_EMOJI_CODE_UNITS ? (text.match(EMOJI_PATTERN) ?? []) : [];
  return emoji.length >= 1 && emoji.length <= 3 && emoji.join('') === text;
}

import { isIconName, NO_ICON } from '#contract/shared/icons.ts';
import { shortenText } from '#contract/shared/user-text.ts';
import { displayUrl } from '#contract/shared/web-url.ts';
import { initialsOf } from '../avatar-fallback.ts';
import { type Fields, flagOf, itemsOf, parsedTimeOf, textOf } from '../fields/fields.ts';
import { type ImageSource, pictureOf, imageAttributes } from '../fields/picture.ts';
import { type Html, html } from '../html/html.ts';
import { hostSuffix, linkText, hostIfMisleading } from '../html/link-text.ts';
import { safeLinkUrl, EXTERNAL_REL, safeWebUrl } from '../html/safe-url.ts';
import { isBrandIcon } from '../icons/icon.ts';
import { linkIcon } from '../icons/link-icon.ts';
import type { PageIcons } from '../icons/page-icons.ts';
import { isServiceHost, serviceName } from '../icons/service-hosts.ts';
import type { Locale } from '../locale.ts';
import type { RenderBlock } from './block.ts';

/** Renders a list item. Adjacent links share a list. */
export const renderLink: RenderBlock = (block, _site, context) => {
  const { icons, links, alignedLinks, showsHost, locale } = context;
  const target = safeLinkUrl(block['url']);
  if (!target) return undefined;
  const description = textOf(block, 'description');
  const title = textOf(block, 'title', 'label', 'content');
  const picture = pictureOf(block['picture']);
  const isFeatured = flagOf(block, 'featured') === true;
  // A long word does not fit into half a phone.
  const halfClasses = /\S{13}/.test(title ?? '') ? ' half long' : ' half';
  const classes = isFeatured ? ' featured' : flagOf(block, 'half') ? halfClasses : '';
  const isTile = isTileWithPicture(block);
  const host = hostLabel(target, locale);
  const cover = isFeatured || isTile ? picture : undefined;
  return html`<li${classes && html` class="${classes.trim()}"`}>
    <a class="link${classes}" ${links.attributesFor(target, relOf(block))}
      >${
        cover
          ? html`<img
              class="cover"
              ${imageAttributes(cover, 'auto, 100vw')}
              alt=""
              width="1200"
              height="675"
              ${LAZY_IMAGE}
            />`
          : linkImage(block, { target, picture, icons, isAligned: alignedLinks.has(block) })
      }<span class="link-text"
        ><span class="label" dir="auto"
            >${title === undefined ? displayUrl(target) : linkText(title, target)}</span
          > ${description && html`<small${isPrice(description) && html` class="price"`} dir="auto">${description}</small>`}</span
      >${title !== undefined && showsHost && title.toLowerCase() !== host && html`<small class="host"><span dir="auto">${host}</span></small>`}${target.startsWith('http') && !isTile && icons.render('arrow-up-right', 'arrow')}</a
    >
  </li>`;
};

/** Whether the link is a tile whose picture is shown large. */
function isTileWithPicture(block: Fields): boolean {
  const { size } = block;
  return (size === 'third' || size === 'half') && pictureOf(block['picture']) !== undefined;
}

const MAX_PRICE_LENGTH = 20;

/** A number with the sign or code of a currency, and no sentence such as “From 60 €, signed”. */
function isPrice(text: string): boolean {
  return (
    text.length <= MAX_PRICE_LENGTH &&
    /\d/.test(text) &&
    /\p{Sc}|\b[A-Z]{3}\b/u.test(text) &&
    !/, /.test(text)
  );
}

function hostLabel(target: string, { t }: Locale): string {
  const { protocol, hostname } = new URL(target);
  if (protocol === 'mailto:') return t('email');
  if (protocol === 'tel:' || protocol === 'sms:') return t('phone');
  return protocol.startsWith('http') ? hostname.replace(/^www\./, '') : '';
}

/** Loads when scrolled into view, and sends no referrer. */
const LAZY_IMAGE = html`loading="lazy" decoding="async" referrerpolicy="no-referrer"`;

/** If its neighbors have icons, a link without one gets its first letter, so that all texts align. */
function linkImage(
  block: Fields,
  {
    target,
    picture,
    icons,
    isAligned,
  }: { target: string; picture: ImageSource | undefined; icons: PageIcons; isAligned: boolean },
): Html | undefined {
  if (picture)
    return html`<img
      class="icon"
      ${imageAttributes(picture, '3rem')}
      alt=""
      width="96"
      height="96"
      ${LAZY_IMAGE}
    />`;
  const icon = linkIcon(block, target);
  if (icon)
    return html`<span class="icon${isBrandIcon(icon) && ` brand-${icon}`}" aria-hidden="true"
      >${isIconName(icon) ? icons.render(icon) : icon}</span
    >`;
  const title = textOf(block, 'title', 'label', 'content') ?? displayUrl(target);
  // In an attribute, so that the text of the page does not repeat it.
  return isAligned
    ? html`<span class="icon" data-initials="${initialsOf(title, 1)}"></span>`
    : undefined;
}

/** All links of a list in which one has an icon or picture, except links with the icon `none`. */
export function findAlignedLinks(blocks: readonly Fields[]): ReadonlySet<Fields> {
  const aligned = new Set<Fields>();
  let adjacentLinks: Fields[] = [];
  for (const [index, block] of blocks.entries()) {
    if (block['type'] === 'link') adjacentLinks.push(block);
    if (block['type'] === 'link' && blocks[index + 1]?.['type'] === 'link') continue;
    if (adjacentLinks.some(hasImage))
      for (const link of adjacentLinks) if (link['icon'] !== NO_ICON) aligned.add(link);
    adjacentLinks = [];
  }
  return aligned;
}

function hasImage(block: Fields): boolean {
  const target = safeLinkUrl(block['url']);
  if (!target) return false;
  const picture = pictureOf(block['picture']);
  if (picture) return flagOf(block, 'featured') !== true && !isTileWithPicture(block);
  return linkIcon(block, target) !== undefined;
}

/** Pages of 4 to 12 plain links are lists. Fewer get the sparse layout, more get columns. */
const MIN_LIST_LENGTH = 4;
const MAX_LIST_LENGTH = 12;

/** Whether the page is one list of links of the same size without pictures, except social links. */
export function isLinkList(blocks: readonly Fields[]): boolean {
  const links = blocks[0]?.['type'] === 'social' ? blocks.slice(1) : blocks;
  return (
    links.length >= MIN_LIST_LENGTH &&
    links.length <= MAX_LIST_LENGTH &&
    links.every((block) => block['type'] === 'link' && isPlainLink(block))
  );
}

function isPlainLink(block: Fields): boolean {
  return !['featured', 'half', 'picture', 'size'].some((field) => block[field]);
}

/** Owners can set when a link appears (`from`) and disappears (after `until`). Links have no time zone. */
function scheduleOf(block: Fields): { from: Date | undefined; until: Date | undefined } {
  return { from: parsedTimeOf(block, 'from')?.time, until: parsedTimeOf(block, 'until')?.end };
}

export function isLinkActive(block: Fields, now: Date): boolean {
  const { from, until } = scheduleOf(block);
  return !(from && from > now) && !(until && until <= now);
}

export function linkChangeTimes(block: Fields): Date[] {
  return Object.values(scheduleOf(block)).filter((time) => time !== undefined);
}

/** Maximum lengths of labels that fit on one line of a phone, without and with a host. */
const MAX_LABEL_LENGTH = 24;
const MAX_LABEL_LENGTH_WITH_HOST = 16;

/** Renders a row of icons with accessible names. */
export const renderSocial: RenderBlock = (block, _site, { icons, links }) => {
  const items = itemsOf(block, 'items').flatMap((item) => {
    const target = safeLinkUrl(item['url']);
    if (!target) return [];
    const label = textOf(item, 'label', 'title');
    const icon = linkIcon(item, target, label);
    // If the label looks like another host, show the real host, too.
    const realHost = label && hostIfMisleading(label, target);
    const handle = label === undefined && item['icon'] === undefined && socialHandle(target);
    if (handle && icon && isIconName(icon))
      return html`<li>
        <a class="named" ${links.attributesFor(target, relOf(item))}
          >${icons.render(icon)}<span dir="ltr">${handle}</span></a
        >
      </li>`;
    if (item['icon'] === NO_ICON || realHost) {
      const name = label ?? serviceName(target) ?? displayUrl(target);
      const truncatedName = shortenText(
        name,
        realHost ? MAX_LABEL_LENGTH_WITH_HOST : MAX_LABEL_LENGTH,
      );
      return html`<li>
        <a class="named" ${links.attributesFor(target, relOf(item))} dir="auto"
          ><span><bdi>${truncatedName}</bdi>${realHost && hostSuffix(realHost)}</span></a
        >
      </li>`;
    }
    const name = label ?? displayUrl(target);
    return html`<li>
      <a ${links.attributesFor(target, relOf(item))} aria-label="${name}" title="${name}"
        >${
          icon && isIconName(icon)
            ? icons.render(icon)
            : html`<span aria-hidden="true">${icon ?? initialsOf(name)}</span>`
        }</a
      >
    </li>`;
  });
  return items.length > 0
    ? html`<ul class="social">
        ${items}
      </ul>`
    : undefined;
};

/** The handle of a Bluesky or Mastodon profile, because the icon does not say which account. */
function socialHandle(target: string): string | undefined {
  const { hostname, pathname } = new URL(target);
  const blueskyName = hostname === 'bsky.app' && /^\/profile\/([\w.-]+)\/?$/.exec(pathname)?.[1];
  if (blueskyName) return `@${blueskyName.replace(/\.bsky\.social$/, '')}`;
  const mastodonName = isServiceHost('mastodon', hostname) && /^\/(@\w+)\/?$/.exec(pathname)?.[1];
  return mastodonName ? `${mastodonName}@${hostname}` : undefined;
}

/** Limit for all profile URLs together. */
const MAX_PROFILE_URL_CHARACTERS = 20_000;

/** URLs of the owner's profiles on other sites, up to a limit. */
export function ownProfileUrls(blocks: readonly Fields[]): string[] {
  const profileLinks = blocks
    .flatMap((block) => {
      if (block['type'] === 'link') return [block];
      return block['type'] === 'social' ? itemsOf(block, 'items') : [];
    })
    .filter(isOwnProfile);
  const targets = new Set<string>();
  let remainingCharacters = MAX_PROFILE_URL_CHARACTERS;
  for (const { url } of profileLinks) {
    const target = safeWebUrl(url);
    if (target === undefined || targets.has(target)) continue;
    remainingCharacters -= target.length;
    if (remainingCharacters < 0) break;
    targets.add(target);
  }
  return [...targets];
}

function relOf(fields: Fields): string {
  return isOwnProfile(fields) ? `me ${EXTERNAL_REL}` : EXTERNAL_REL;
}

/** By default, a link counts as one of the owner's own profiles (`rel=me`). */
function isOwnProfile(fields: Fields): boolean {
  return flagOf(fields, 'me') !== false;
}

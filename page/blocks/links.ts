import { isIconName, NO_ICON } from '#contract/icons.ts';
import { type Fields, flagOf, itemsOf, textOf, timeOf } from '../fields.ts';
import { type Html, html } from '../html.ts';
import { serviceOf } from '../icons/hosts.ts';
import { iconOf } from '../icons/icon-of.ts';
import type { PageIcons } from '../icons/page-icons.ts';
import { behind, linkText, realPlace } from '../link-text.ts';
import { type Picture, pictureOf, sourceOf } from '../picture.ts';
import { initialsOf } from '../sign.ts';
import { linkTarget, OUTSIDE, webTarget } from '../target.ts';
import type { RenderBlock } from './block.ts';

/** One item of a list of links; neighbouring ones share the list. */
export const link: RenderBlock = (block, _site, { icons, links, isAligned }) => {
  const target = linkTarget(block['url']);
  if (!target) return undefined;
  const description = textOf(block, 'description');
  const title = textOf(block, 'title', 'label', 'content');
  const picture = pictureOf(block['picture']);
  const isFeatured = flagOf(block, 'featured') === true;
  const kind = isFeatured ? ' featured' : flagOf(block, 'half') ? ' half' : '';
  const cover = isFeatured && picture;
  return html`<li${kind && html` class="${kind.trim()}"`}>
    <a class="link${kind}" ${links.to(target, relOf(block))}
      >${
        cover
          ? html`<img
              class="cover"
              ${sourceOf(cover, 'auto, 100vw')}
              alt=""
              width="1200"
              height="675"
              ${LAZY}
            />`
          : signOf(block, { target, picture, icons, isAligned: isAligned(block) })
      }<span class="what"
        ><span class="label" dir="auto"
            >${title === undefined ? shortAddress(target) : linkText(title, target)}</span
          > ${description && html`<small dir="auto">${description}</small>`}</span
      >${icons.draw('arrow-up-right', 'go')}</a
    >
  </li>`;
};

/** Attributes of a picture that is loaded when it comes into sight, and learns nothing of the page. */
const LAZY = html`loading="lazy" decoding="async" referrerpolicy="no-referrer"`;

/** Picture or icon before the words of a link, or a generic icon so that words align. */
function signOf(
  block: Fields,
  {
    target,
    picture,
    icons,
    isAligned,
  }: { target: string; picture: Picture | undefined; icons: PageIcons; isAligned: boolean },
): Html | undefined {
  if (picture)
    return html`<img
      class="icon"
      ${sourceOf(picture, '3rem')}
      alt=""
      width="96"
      height="96"
      ${LAZY}
    />`;
  const icon = iconOf(block, target) ?? (isAligned ? 'link' : undefined);
  if (icon === undefined) return undefined;
  return html`<span class="icon" aria-hidden="true"
    >${isIconName(icon) ? icons.draw(icon) : icon}</span
  >`;
}

/** Says of links whether their words start where those of a neighbour with an icon do. */
export function alignedLinks(blocks: readonly Fields[]): (block: Fields) => boolean {
  const aligned = new Set<Fields>();
  let list: Fields[] = [];
  for (const [index, block] of blocks.entries()) {
    if (block['type'] === 'link') list.push(block);
    if (block['type'] === 'link' && blocks[index + 1]?.['type'] === 'link') continue;
    if (list.some(hasSign)) for (const one of list) aligned.add(one);
    list = [];
  }
  return (block) => aligned.has(block) && block['icon'] !== NO_ICON;
}

function hasSign(block: Fields): boolean {
  const target = linkTarget(block['url']);
  if (!target) return false;
  const picture = pictureOf(block['picture']);
  return picture ? flagOf(block, 'featured') !== true : iconOf(block, target) !== undefined;
}

/** Whether a link is to be seen at a time: from and until when is its owner's choice. */
export function isCurrentLink(block: Fields, now: Date): boolean {
  const [from, until] = [timeOf(block, 'from'), timeOf(block, 'until')];
  return !(from && from > now) && !(until && until <= now);
}

/** When the page looks different because of a link's times. */
export function linkChanges(block: Fields): Date[] {
  return [timeOf(block, 'from'), timeOf(block, 'until')].filter((time) => time !== undefined);
}

/** Name lengths that fit on one line of a phone, in characters: alone, and followed by a host. */
const NAME_LENGTH = 24;
const NAME_LENGTH_BEFORE_HOST = 16;

/** A row of icons, each of which says where it leads to those who do not see it. */
export const social: RenderBlock = (block, _site, { icons, links }) => {
  const items = itemsOf(block, 'items').flatMap((item) => {
    const target = linkTarget(item['url']);
    if (!target) return [];
    const label = textOf(item, 'label', 'title');
    const icon = iconOf(item, target, label);
    // A label that looks like another host is shown together with the real one.
    const place = label && realPlace(label, target);
    if (item['icon'] === NO_ICON || place) {
      const name = label ?? serviceOf(target) ?? shortAddress(target);
      const shown = shortened(name, place ? NAME_LENGTH_BEFORE_HOST : NAME_LENGTH);
      return html`<li>
        <a class="named" ${links.to(target, relOf(item))} dir="auto"
          ><span><bdi>${shown}</bdi>${place && behind(place)}</span></a
        >
      </li>`;
    }
    const name = label ?? shortAddress(target);
    return html`<li>
      <a ${links.to(target, relOf(item))} aria-label="${name}" title="${name}"
        >${
          icon && isIconName(icon)
            ? icons.draw(icon)
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

/** Limit of addresses that are named beside the links themselves, in characters. */
const MAX_CHARACTERS = 20_000;

/** Where the owner of some blocks is found elsewhere: what they link to as themselves, the first of many. */
export function ownTargets(blocks: readonly Fields[]): string[] {
  const own = blocks
    .flatMap((block) => {
      if (block['type'] === 'link') return [block];
      return block['type'] === 'social' ? itemsOf(block, 'items') : [];
    })
    .filter(isOwn);
  const targets = new Set<string>();
  let left = MAX_CHARACTERS;
  for (const { url } of own) {
    const target = webTarget(url);
    if (target === undefined || targets.has(target)) continue;
    left -= target.length;
    if (left < 0) break;
    targets.add(target);
  }
  return [...targets];
}

function relOf(fields: Fields): string {
  return isOwn(fields) ? `me ${OUTSIDE}` : OUTSIDE;
}

/** A link says that both ends are the same person, unless its owner says otherwise. */
function isOwn(fields: Fields): boolean {
  return flagOf(fields, 'me') !== false;
}

/** An address as people read it. */
export function shortAddress(target: string): string {
  return target.replace(/^(?:https?:\/\/(?:www\.)?|mailto:|tel:)/, '').replace(/[/?#]*$/, '');
}

function shortened(text: string, length: number): string {
  const characters = [...text];
  return characters.length > length ? `${characters.slice(0, length - 1).join('')}…` : text;
}

import { type Fields, flagOf, itemsOf, textOf, timeOf } from '../fields.ts';
import { type Html, html } from '../html.ts';
import { icon as draw } from '../icons.ts';
import { linkText } from '../link-text.ts';
import { linkTarget, OUTSIDE, webTarget } from '../target.ts';
import type { RenderBlock } from './block.ts';

const EMOJI = /\p{RGI_Emoji}/gv;
/** More than three emoji take, in UTF-16 code units. */
const MAX_ICON_LENGTH = 100;

/** One item of a list of links; neighbouring ones share the list. */
export const link: RenderBlock = (block) => {
  const target = linkTarget(block['url']);
  if (!target) return undefined;
  const description = textOf(block, 'description');
  return html`<li>
    <a class="link" href="${target}" rel="${relOf(block)}"
      >${iconOf(block)}<span class="what"
        ><span class="label" dir="auto"
          >${linkText(textOf(block, 'title', 'label', 'content') ?? shortAddress(target), target)}</span
        >
        ${description && html`<small dir="auto">${description}</small>`}</span
      >${draw('arrow', 'go')}</a
    >
  </li>`;
};

/** Whether a link is to be seen at a time: from and until when is its owner's choice. */
export function isCurrentLink(block: Fields, now: Date): boolean {
  const [from, until] = [timeOf(block, 'from'), timeOf(block, 'until')];
  return !(from && from > now) && !(until && until <= now);
}

/** When the page looks different because of a link's times. */
export function linkChanges(block: Fields): Date[] {
  return [timeOf(block, 'from'), timeOf(block, 'until')].filter((time) => time !== undefined);
}

/** A row of short links. */
export const social: RenderBlock = (block) => {
  const items = itemsOf(block, 'items').flatMap((item) => {
    const target = linkTarget(item['url']);
    if (!target) return [];
    const label = textOf(item, 'label', 'title') ?? shortAddress(target);
    return html`<li>
      <a href="${target}" rel="${relOf(item)}" dir="auto">${linkText(label, target)}</a>
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

function iconOf(block: Fields): Html | undefined {
  const icon = textOf(block, 'icon');
  return icon && isIcon(icon)
    ? html`<span class="icon" aria-hidden="true">${icon}</span>`
    : undefined;
}

/**
 * One to three emoji: nothing that is letters, which would be the name of a picture that is not there.
 * They are counted, as Node would take a second to compile an expression that says how many.
 */
function isIcon(text: string): boolean {
  const emoji = text.length <= MAX_ICON_LENGTH ? (text.match(EMOJI) ?? []) : [];
  return emoji.length >= 1 && emoji.length <= 3 && emoji.join('') === text;
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

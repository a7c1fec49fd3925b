import { isWebUrl } from '#contract/web-url.ts';
import { blockError, activeUrlPath } from './validation.ts';
import { summaryOf, titleOfKind } from './kinds.ts';
import type { Block } from './site.ts';

/** Words of a block's row: its title, and a note below. */
export interface BlockRowText {
  title: string;
  note: string;
  /** Address of a picture of it. */
  picture?: string;
  /** State that the owner should see without opening the block. */
  pill?: { words: string; look: 'good' | 'warn' | '' };
}

const DAY = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });

/** Words for the row of a block. */
export function blockRowText(block: Block, now = new Date()): BlockRowText {
  const kind = titleOfKind(block.type);
  const summary = summaryOf(block);
  const pill = pillOf(block, now);
  const picture = pictureOf(block);
  const said = { ...(pill && { pill }), ...(picture && { picture }) };
  // The names of several are a note about the block rather than its title.
  if (Array.isArray(block['items']) && !block['title'])
    return { title: kind, note: summary || 'Nothing yet', ...said };
  const address = block.url ? shortAddress(block.url) : '';
  const title = summary === block.url ? address : summary;
  // A block of an address alone is told by it, and a link by both.
  const note = block.type === 'link' && title !== address ? address : kind;
  if (!title) return { title: kind, note: note === kind ? '' : note, ...said };
  return {
    title: block.type === 'text' ? withoutMarks(title) : title,
    note: note || kind,
    ...said,
  };
}

/** Markdown as it reads without its marks. */
function withoutMarks(text: string): string {
  return text.replace(/!?\[([^\]]*)\](?:\([^)]*\)?)?/g, '$1').replace(/[*_`#>]+/g, '');
}

function pictureOf({ type, url, ...fields }: Block): string | undefined {
  const { picture = type === 'image' ? url : undefined } = fields as { picture?: unknown };
  return typeof picture === 'string' && isWebUrl(picture) ? picture : undefined;
}

function pillOf(block: Block, now: Date): BlockRowText['pill'] {
  if (block.id !== activeUrlPath.value && blockError(block))
    return { words: 'Not finished', look: 'warn' };
  const [from, until] = [dateOf(block['from']), dateOf(block['until'])];
  if (until && until <= now) return { words: 'Ended', look: '' };
  if (from && from > now) return { words: `From ${DAY.format(from)}`, look: '' };
  return block['featured'] === true ? { words: 'Featured', look: 'good' } : undefined;
}

function dateOf(value: unknown): Date | undefined {
  const time = typeof value === 'string' ? new Date(value) : undefined;
  return time && Number.isFinite(time.getTime()) ? time : undefined;
}

/** An address as people read it. */
function shortAddress(url: string): string {
  if (!isWebUrl(url)) return url.replace(/^(?:mailto|tel):/, '');
  return url.replace(/^https?:\/\/(?:www\.)?/, '').replace(/\/$/, '');
}

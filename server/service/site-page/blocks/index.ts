import type { Block } from '../../../../contract/block.ts';
import { LIMITS } from '../../../../contract/limits.ts';
import type { Fields } from '../fields.ts';
import { type Html, html } from '../html.ts';
import type { Locale } from '../locale.ts';
import { markdownOfPage } from '../markdown.ts';
import type { PublicSite, Showing } from '../public-site.ts';
import { codesOfPage } from '../qr-code.ts';
import type { RenderBlock } from './block.ts';
import { contact } from './contact.ts';
import { isCurrentLink, link, linkChanges, social } from './links.ts';
import { embed, image, qr } from './media.ts';
import { metric } from './metric.ts';
import { other } from './other.ts';
import { code, divider, faq, heading, key, quote, text } from './text.ts';
import { countdown, event, timeChanges } from './time.ts';

/** A kind of block that pages know. */
interface Kind {
  render: RenderBlock;
  /** The fields beside `type` that are read: whatever else a block has may be a note. */
  fields: readonly string[];
  /** When it looks different without having been changed. */
  changes?: (block: Fields, now: Date) => Date[];
}

const LINK_FIELDS = [
  'url',
  'title',
  'label',
  'content',
  'description',
  'icon',
  'me',
  'from',
  'until',
];

const KINDS: Readonly<Record<string, Kind>> = {
  text: { render: text, fields: ['content'] },
  heading: { render: heading, fields: ['content', 'title'] },
  link: { render: link, fields: LINK_FIELDS, changes: linkChanges },
  social: { render: social, fields: ['items'] },
  image: { render: image, fields: ['url', 'alt', 'width', 'height', 'caption', 'link'] },
  contact: { render: contact, fields: ['email', 'phone', 'address', 'forwarding'] },
  event: {
    render: event,
    fields: ['title', 'content', 'starts_at', 'ends_at', 'time_zone', 'location', 'url'],
    changes: timeChanges,
  },
  countdown: {
    render: countdown,
    fields: ['title', 'content', 'starts_at', 'ends_at', 'time_zone'],
    changes: timeChanges,
  },
  quote: { render: quote, fields: ['content', 'cite'] },
  code: { render: code, fields: ['content', 'language', 'title'] },
  faq: { render: faq, fields: ['title', 'question', 'content', 'answer', 'items'] },
  key: { render: key, fields: ['kind', 'title', 'content'] },
  divider: { render: divider, fields: [] },
  embed: { render: embed, fields: ['url', 'title', 'inline'] },
  qr: { render: qr, fields: ['url', 'title', 'label'] },
  metric: { render: metric, fields: ['title', 'field', 'aggregate', 'days', 'display'] },
  // Options of the page: nothing to show.
  page: { render: () => undefined, fields: ['lang', 'pronouns', 'fediverse', 'indexing'] },
};

/** Of a kind that pages do not know, what names it and no more. */
const OTHER: Kind = { render: other, fields: ['title', 'name', 'label', 'content', 'url'] };

function kindOf({ type }: Block): Kind {
  return Object.hasOwn(KINDS, type) ? KINDS[type]! : OTHER;
}

/** A block as everybody may see it: without the fields that are not shown. */
export function shownBlock(block: Block): Block {
  const { fields } = kindOf(block);
  const { id, type, enabled, ...rest } = block;
  const shown = Object.entries(rest).filter(([name]) => fields.includes(name));
  return { id, type, enabled, ...Object.fromEntries(shown) };
}

/** The blocks that are shown at a time. */
export function currentBlocks(blocks: readonly Block[], now: Date): Block[] {
  return blocks.filter((block) => block.type !== 'link' || isCurrentLink(block, now));
}

/** When blocks look different although nobody changed them; undefined if never. */
export function nextChangeOf(blocks: readonly Block[], now: Date): Date | undefined {
  const times = blocks
    .flatMap((block) => kindOf(block).changes?.(block, now) ?? [])
    .filter((time) => time > now)
    .map((time) => time.getTime());
  return times.length > 0 ? new Date(Math.min(...times)) : undefined;
}

/** The blocks of a site in their order; neighbouring links are one list. What is too much is not shown. */
export function renderBlocks(site: PublicSite, showing: Showing, locale: Locale): Html[] {
  const parts: Html[] = [];
  const surroundings = { ...showing, markdown: markdownOfPage(), code: codesOfPage(), locale };
  let links: Html[] = [];
  const endList = () => {
    if (links.length > 0)
      parts.push(
        html`<ul class="links">
          ${links}
        </ul>`,
      );
    links = [];
  };
  // A megabyte of quotation marks would be six of HTML.
  let left: number = LIMITS.pageBytes;
  for (const block of site.blocks) {
    const rendered = kindOf(block).render(block, site, surroundings);
    if (!rendered) continue;
    left -= Buffer.byteLength(rendered.toString());
    if (left < 0) break;
    if (block.type === 'link') {
      links.push(rendered);
    } else {
      endList();
      parts.push(rendered);
    }
  }
  endList();
  if (left < 0 || site.hasMore)
    parts.push(
      html`<p>
        ${locale.words.tooLong}
        <a href="${showing.url}/page.json">${locale.words.wholePage}</a>
      </p>`,
    );
  return parts;
}

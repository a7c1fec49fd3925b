import type { Block } from '#contract/block.ts';
import { type BlockKind, blockDefinition, isBlockKind } from '#contract/blocks.ts';
import { LIMITS } from '#contract/limits.ts';
import type { Fields } from '../fields.ts';
import { type Html, html, trusted } from '../html.ts';
import type { PageIcons } from '../icons/page-icons.ts';
import type { Locale } from '../locale.ts';
import { markdownOfPage } from '../markdown.ts';
import { PageLinks } from '../page-links.ts';
import type { PublicSite, Showing } from '../public-site.ts';
import { codesOfPage } from '../qr-code.ts';
import type { RenderBlock } from './block.ts';
import { contact } from './contact.ts';
import { alignedLinks, isCurrentLink, link, linkChanges, social } from './links.ts';
import { embed, image, qr } from './media.ts';
import { metric } from './metric.ts';
import { code, divider, faq, heading, key, other, quote, text } from './text.ts';
import { countdown, event, timeChanges } from './time.ts';

/** Renderers of each kind of block. */
const RENDERERS: Readonly<Record<BlockKind, RenderBlock>> = {
  link,
  text,
  heading,
  social,
  image,
  contact,
  metric,
  event,
  countdown,
  quote,
  faq,
  code,
  key,
  embed,
  qr,
  divider,
};

/** When a block looks different without having been changed. */
const CHANGES: Readonly<Partial<Record<BlockKind, (block: Fields, now: Date) => readonly Date[]>>> =
  {
    link: linkChanges,
    event: timeChanges,
    countdown: timeChanges,
  };

/** Fields that are public in a block of a kind that pages do not know. */
const PUBLIC_OF_OTHERS = ['title', 'name', 'label', 'content', 'url'];

/** Fields of a kind of block that the page shows; whatever else a block has may be a note. */
function publicFieldsOf(type: string): readonly string[] {
  const definition = blockDefinition(type);
  if (!definition) return PUBLIC_OF_OTHERS;
  return Object.entries(definition.fields)
    .filter(([, { isPrivate }]) => !isPrivate)
    .flatMap(([name, { aliases = [] }]) => [name, ...aliases]);
}

/** A block as everybody may see it: without the fields that are not shown. */
export function shownBlock({ id, type, enabled, ...rest }: Block): Block {
  const fields = publicFieldsOf(type);
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
    .flatMap((block) => (isBlockKind(block.type) && CHANGES[block.type]?.(block, now)) || [])
    .filter((time) => time > now)
    .map((time) => time.getTime());
  return times.length > 0 ? new Date(Math.min(...times)) : undefined;
}

/** A rendered block whose first element names the block, for the editor beside a preview. */
function marked(rendered: Html, id: string): Html {
  return trusted(rendered.toString().replace(/^\s*<[a-z\d]+/, `$& data-block="${id}"`));
}

/** Style sheets of each kind of block, in `styles/blocks`. */
export const BLOCK_STYLES: Readonly<Record<BlockKind, readonly string[]>> = {
  link: ['links'],
  social: ['social'],
  image: ['image'],
  contact: ['contact'],
  metric: ['number', 'metric'],
  event: ['event'],
  countdown: ['number'],
  quote: ['quote'],
  faq: ['faq'],
  code: ['code'],
  key: ['code'],
  embed: ['links', 'embed'],
  qr: ['qr'],
  divider: ['divider'],
  text: [],
  heading: [],
};

/** The blocks of a page. */
interface RenderedBlocks {
  /** Blocks below the profile, in order; neighbouring links are one list. */
  parts: Html[];
  /** Social links that come before everything else: they stand in the profile. */
  social: Html | undefined;
  /** Style sheets that they need, in `styles/blocks`. */
  styles: string[];
  /** Whether they fill no more than a small card. */
  isFew: boolean;
  /** Addresses of links whose clicks are counted. */
  counted: ReadonlySet<string>;
}

/** Parts and links of a page that looks like a card. */
const FEW = 3;

/** Renders the blocks of a site. What is too much is not shown. */
export function renderBlocks(
  site: PublicSite,
  showing: Showing,
  { locale, icons }: { locale: Locale; icons: PageIcons },
): RenderedBlocks {
  const parts: Html[] = [];
  const kinds = new Set<BlockKind>();
  const pageLinks = new PageLinks(showing.clicks);
  const surroundings = {
    ...showing,
    links: pageLinks,
    markdown: markdownOfPage(pageLinks),
    code: codesOfPage(),
    locale,
    icons,
    isAligned: alignedLinks(site.blocks),
  };
  let links: Html[] = [];
  let linkCount = 0;
  let firstSocial: Html | undefined;
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
    const { type } = block;
    const render = isBlockKind(type) ? RENDERERS[type] : other;
    const shown = render(block, site, surroundings);
    if (!shown) continue;
    const rendered = showing.isFramed ? marked(shown, block.id) : shown;
    left -= Buffer.byteLength(rendered.toString());
    if (left < 0) break;
    if (isBlockKind(type)) kinds.add(type);
    if (type === 'link') {
      links.push(rendered);
      linkCount += 1;
    } else if (type === 'social' && kinds.size === 1 && !firstSocial) {
      firstSocial = rendered;
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
  return {
    parts,
    social: firstSocial,
    styles: stylesOf(kinds),
    isFew: parts.length <= FEW && linkCount <= FEW,
    counted: pageLinks.counted,
  };
}

/** Always in the order of the table, so that pages of the same kinds have the same style sheet. */
function stylesOf(kinds: ReadonlySet<BlockKind>): string[] {
  const needed = Object.entries(BLOCK_STYLES)
    .filter(([kind]) => kinds.has(kind as BlockKind))
    .flatMap(([, names]) => names);
  return [...new Set(needed)];
}

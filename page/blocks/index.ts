import type { Block } from '#contract/block.ts';
import { type BlockKind, blockDefinition, isBlockKind } from '#contract/blocks.ts';
import { LIMITS } from '#contract/limits.ts';
import type { Fields } from '../fields.ts';
import { type Html, html, trusted } from '../html.ts';
import type { PageIcons } from '../icons/page-icons.ts';
import type { Locale } from '../locale.ts';
import { createMarkdownRenderer } from '../markdown.ts';
import { PageLinks } from '../page-links.ts';
import type { PublicSite, RenderContext } from '../public-site.ts';
import { createQrRenderer } from '../qr-code.ts';
import type { RenderBlock } from './block.ts';
import { renderContact } from './contact.ts';
import { alignedLinks, isLinkActive, renderLink, linkChangeTimes, renderSocial } from './links.ts';
import { renderEmbed, renderImage, renderQr } from './media.ts';
import { renderMetric } from './metric.ts';
import {
  renderCode,
  renderDivider,
  renderFaq,
  renderHeading,
  renderKey,
  renderUnknown,
  renderQuote,
  renderText,
} from './text.ts';
import { renderCountdown, renderEvent, timeChangeTimes } from './time.ts';

/** Renderers of each kind of block. */
const RENDERERS: Readonly<Record<BlockKind, RenderBlock>> = {
  link: renderLink,
  text: renderText,
  heading: renderHeading,
  social: renderSocial,
  image: renderImage,
  contact: renderContact,
  metric: renderMetric,
  event: renderEvent,
  countdown: renderCountdown,
  quote: renderQuote,
  faq: renderFaq,
  code: renderCode,
  key: renderKey,
  embed: renderEmbed,
  qr: renderQr,
  divider: renderDivider,
};

/** When a block looks different without having been changed. */
const CHANGE_TIMES: Readonly<
  Partial<Record<BlockKind, (block: Fields, now: Date) => readonly Date[]>>
> = {
  link: linkChangeTimes,
  event: timeChangeTimes,
  countdown: timeChangeTimes,
};

/** Fields that are public in a block of a kind that pages do not know. */
const PUBLIC_FIELDS_OF_UNKNOWN = ['title', 'name', 'label', 'content', 'url'];

/** Fields of a kind of block that the page shows; whatever else a block has may be a note. */
function publicFieldsOf(type: string): readonly string[] {
  const definition = blockDefinition(type);
  if (!definition) return PUBLIC_FIELDS_OF_UNKNOWN;
  return Object.entries(definition.fields)
    .filter(([, { isPrivate }]) => !isPrivate)
    .flatMap(([name, { aliases = [] }]) => [name, ...aliases]);
}

/** A block as everybody may see it: without the fields that are not shown. */
export function publicBlock({ id, type, enabled, ...rest }: Block): Block {
  const fields = publicFieldsOf(type);
  const shown = Object.entries(rest).filter(([name]) => fields.includes(name));
  return { id, type, enabled, ...Object.fromEntries(shown) };
}

/** The blocks that are shown at a time. */
export function activeBlocks(blocks: readonly Block[], now: Date): Block[] {
  return blocks.filter((block) => block.type !== 'link' || isLinkActive(block, now));
}

/** When blocks look different although nobody changed them; undefined if never. */
export function nextChangeTime(blocks: readonly Block[], now: Date): Date | undefined {
  const times = blocks
    .flatMap((block) => (isBlockKind(block.type) && CHANGE_TIMES[block.type]?.(block, now)) || [])
    .filter((time) => time > now)
    .map((time) => time.getTime());
  return times.length > 0 ? new Date(Math.min(...times)) : undefined;
}

/** A rendered block whose first element names the block, for the editor beside a preview. */
function withBlockId(rendered: Html, id: string): Html {
  return trusted(rendered.toString().replace(/^\s*<[a-z\d]+/, `$& data-block="${id}"`));
}

/** Style sheets of each kind of block, in `styles/blocks`. */
export const BLOCK_SHEETS: Readonly<Record<BlockKind, readonly string[]>> = {
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
  sheets: string[];
  /** Whether they fill no more than a small card. */
  isFew: boolean;
  /** Addresses of links whose clicks are counted. */
  countedUrls: ReadonlySet<string>;
}

/** Parts and links of a page that looks like a card. */
const MAX_FEW = 3;

/** Renders the blocks of a site. What is too much is not shown. */
export function renderBlocks(
  site: PublicSite,
  showing: RenderContext,
  { locale, icons }: { locale: Locale; icons: PageIcons },
): RenderedBlocks {
  const parts: Html[] = [];
  const kinds = new Set<BlockKind>();
  const pageLinks = new PageLinks(showing.clickPath);
  const blockContext = {
    ...showing,
    links: pageLinks,
    renderMarkdown: createMarkdownRenderer(pageLinks),
    renderQrCode: createQrRenderer(),
    locale,
    icons,
    isAligned: alignedLinks(site.blocks),
  };
  let links: Html[] = [];
  let linkCount = 0;
  let firstSocial: Html | undefined;
  const closeLinkList = () => {
    if (links.length > 0)
      parts.push(
        html`<ul class="links">
          ${links}
        </ul>`,
      );
    links = [];
  };
  // A megabyte of quotation marks would be six of HTML.
  let remainingBytes: number = LIMITS.pageBytes;
  for (const block of site.blocks) {
    const { type } = block;
    const render = isBlockKind(type) ? RENDERERS[type] : renderUnknown;
    const shown = render(block, site, blockContext);
    if (!shown) continue;
    const rendered = showing.isFramed ? withBlockId(shown, block.id) : shown;
    remainingBytes -= Buffer.byteLength(rendered.toString());
    if (remainingBytes < 0) break;
    if (isBlockKind(type)) kinds.add(type);
    if (type === 'link') {
      links.push(rendered);
      linkCount += 1;
    } else if (type === 'social' && kinds.size === 1 && !firstSocial) {
      firstSocial = rendered;
    } else {
      closeLinkList();
      parts.push(rendered);
    }
  }
  closeLinkList();
  if (remainingBytes < 0 || site.isTruncated)
    parts.push(
      html`<p>
        ${locale.translations.tooLong}
        <a href="${showing.url}/page.json">${locale.translations.wholePage}</a>
      </p>`,
    );
  return {
    parts,
    social: firstSocial,
    sheets: sheetsOf(kinds),
    isFew: parts.length <= MAX_FEW && linkCount <= MAX_FEW,
    countedUrls: pageLinks.countedUrls,
  };
}

/** Always in the order of the table, so that pages of the same kinds have the same style sheet. */
function sheetsOf(kinds: ReadonlySet<BlockKind>): string[] {
  const needed = Object.entries(BLOCK_SHEETS)
    .filter(([kind]) => kinds.has(kind as BlockKind))
    .flatMap(([, names]) => names);
  return [...new Set(needed)];
}

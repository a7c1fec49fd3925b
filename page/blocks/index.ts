import type { Block } from '#contract/block.ts';
import { type BlockKind, blockDefinition, isBlockKind } from '#contract/shared/blocks.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import type { Fields } from '../fields/fields.ts';
import { type Html, html, trustedHtml } from '../html/html.ts';
import { createMarkdownRenderer } from '../html/markdown.ts';
import type { PageIcons } from '../icons/page-icons.ts';
import type { Locale } from '../locale.ts';
import { PageLinks } from '../page-links.ts';
import { PictureRows } from '../picture-rows.ts';
import type { PublicSite, RenderContext } from '../public-site.ts';
import { createQrRenderer } from '../qr-code.ts';
import type { RenderBlock } from './block.ts';
import { renderContactForm, renderMessageResponse } from './contact-form.ts';
import { renderContact } from './contact.ts';
import { renderGallery, renderImageRows } from './gallery.ts';
import {
  findAlignedLinks,
  isLinkActive,
  isLinkList,
  renderLink,
  linkChangeTimes,
  renderSocial,
} from './links.ts';
import { imageRatio, renderEmbed, renderImage, renderQr } from './media.ts';
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
import { type Tile, chooseTiles, renderTiles } from './tiles.ts';
import {
  eventOf,
  eventsByDate,
  findNextEvent,
  renderCalendarLink,
  renderCountdown,
  renderEvent,
  timesWhenTextChanges,
} from './time.ts';

interface BlockRenderer {
  render: RenderBlock;
  /** File names in `styles/blocks`. */
  sheets: readonly string[];
  /** Times at which a block changes its look by itself. */
  changeTimes?: (block: Fields, now: Date) => readonly Date[];
}

export const BLOCK_RENDERERS: Readonly<Record<BlockKind, BlockRenderer>> = {
  link: { render: renderLink, sheets: ['links'], changeTimes: linkChangeTimes },
  text: { render: renderText, sheets: ['text'] },
  heading: { render: renderHeading, sheets: [] },
  social: { render: renderSocial, sheets: ['social'] },
  image: { render: renderImage, sheets: ['image'] },
  gallery: { render: renderGallery, sheets: ['image', 'gallery'] },
  contact: { render: renderContact, sheets: ['card', 'contact'] },
  contact_form: { render: renderContactForm, sheets: ['card', 'contact-form'] },
  metric: { render: renderMetric, sheets: ['card', 'number', 'metric'] },
  event: { render: renderEvent, sheets: ['card', 'event'], changeTimes: timesWhenTextChanges },
  countdown: {
    render: renderCountdown,
    sheets: ['card', 'number'],
    changeTimes: timesWhenTextChanges,
  },
  quote: { render: renderQuote, sheets: ['quote'] },
  faq: { render: renderFaq, sheets: ['text', 'details', 'faq'] },
  code: { render: renderCode, sheets: ['code'] },
  key: { render: renderKey, sheets: ['details', 'code'] },
  embed: { render: renderEmbed, sheets: ['links', 'details', 'embed'] },
  qr: { render: renderQr, sheets: ['card', 'qr'] },
  divider: { render: renderDivider, sheets: ['divider'] },
};

const PUBLIC_FIELDS_OF_UNKNOWN = ['title', 'name', 'label', 'content', 'url'];

/** Names of the fields that visitors may see. Others are private, because they may be notes. */
function publicFieldsOf(type: string): readonly string[] {
  const definition = blockDefinition(type);
  if (!definition) return PUBLIC_FIELDS_OF_UNKNOWN;
  return Object.entries(definition.fields)
    .filter(([, { isPrivate }]) => !isPrivate)
    .flatMap(([name, { aliases = [] }]) => [name, ...aliases]);
}

/** Removes private fields. */
export function publicBlock({ id, type, enabled, ...rest }: Block): Block {
  const publicNames = publicFieldsOf(type);
  const publicFields = Object.entries(rest).filter(([name]) => publicNames.includes(name));
  return { id, type, enabled, ...Object.fromEntries(publicFields) };
}

export function activeBlocks(blocks: readonly Block[], now: Date): Block[] {
  return blocks.filter((block) => block.type !== 'link' || isLinkActive(block, now));
}

/** The next time that a block changes its look by itself. Undefined if none does. */
export function nextChangeTime(blocks: readonly Block[], now: Date): Date | undefined {
  const times = blocks
    .flatMap(
      (block) =>
        (isBlockKind(block.type) && BLOCK_RENDERERS[block.type].changeTimes?.(block, now)) || [],
    )
    .filter((time) => time > now)
    .map((time) => time.getTime());
  return times.length > 0 ? new Date(Math.min(...times)) : undefined;
}

/** Adds the block id to the first element, so that the editor can find the block in the preview. */
function withBlockId(rendered: Html, id: string): Html {
  return trustedHtml(rendered.toString().replace(/^\s*<[a-z\d]+/, `$& data-block="${id}"`));
}

interface RenderedBlocks {
  /** Blocks below the profile, in order. Adjacent links form one list, and so do images and tiles. */
  sections: Html[];
  /** Social links at the start of the page, which are shown in the profile. */
  social: Html | undefined;
  /** File names in `styles/blocks`. */
  sheets: string[];
  /** File names in `styles`. */
  tileSheets: readonly string[];
  /** Style rules for the rows of pictures on this page. */
  pictureRowRules: string;
  /** Whether the page is short enough to look like a card. */
  isSparse: boolean;
  /** Whether a link is the only block below the profile. */
  isOneLink: boolean;
  /** Whether the page is one list of plain links. */
  isList: boolean;
  countedUrls: ReadonlySet<string>;
}

/** Maximum number of blocks, and of links, on a page that looks like a card. */
const MAX_SPARSE_BLOCKS = 3;

interface RenderedBlock {
  block: Block;
  tile: Tile | undefined;
  rendered: Html;
}

/** Leaves out blocks beyond the size limit of a page. The response to a message has no other blocks. */
export function renderBlocks(
  unsortedSite: PublicSite,
  context: RenderContext,
  { locale, icons }: { locale: Locale; icons: PageIcons },
): RenderedBlocks {
  const { messageResponse } = context;
  if (messageResponse)
    return onlyBlock(renderMessageResponse(unsortedSite, { ...context, messageResponse, locale }));
  const site = { ...unsortedSite, blocks: eventsByDate(unsortedSite.blocks, context.now) };
  const pageLinks = new PageLinks(context.pingPath);
  const pictureRows = new PictureRows();
  const events = site.blocks.filter(eventOf);
  const isList = isLinkList(site.blocks);
  const isOnlyLink = site.blocks.length === (site.blocks[0]?.type === 'social' ? 2 : 1);
  const { blocks, isTruncated } = renderEachBlock(site, {
    ...context,
    links: pageLinks,
    renderMarkdown: createMarkdownRenderer(pageLinks),
    renderQrCode: createQrRenderer(),
    locale,
    icons,
    pictureRows,
    alignedLinks: findAlignedLinks(site.blocks),
    nextEvent: findNextEvent(site.blocks, context.now),
    onlyEvent: events.length === 1 ? events[0] : undefined,
    showsHost: isOnlyLink || isLinkList(site.blocks.map((block) => ({ ...block, half: false }))),
  });
  const social = findLeadingSocial(blocks);
  const groups = groupBlocks(blocks.filter((block) => block !== social));
  const lastWithEvent = groups.findLast((group) => group.some(({ block }) => eventOf(block)));
  const sections = groups.map((group) => {
    const rendered = renderGroup(group, pictureRows);
    if (group !== lastWithEvent || events.length === 1) return rendered;
    return html`${rendered} ${renderCalendarLink(events, site, { ...context, locale })}`;
  });
  if (isTruncated)
    sections.push(
      html`<p>
        ${locale.t('This page is too long to be shown in full.')}
        <a href="${context.url}/page.json">${locale.t('View the whole page as JSON')}</a>
      </p>`,
    );
  const kinds = new Set(blocks.map(({ block }) => block.type));
  if (groups.some(([first, second]) => second && hasRatio(first!))) kinds.add('gallery');
  const tileGroups = groups.filter(([first]) => first!.tile);
  const hasSizedTiles = tileGroups.some(([first]) => first!.tile!.group === 'sized');
  const linkCount = blocks.filter(({ block }) => block.type === 'link').length;
  return {
    sections,
    social: social?.rendered,
    sheets: sheetsOf(kinds),
    tileSheets: tileGroups.length === 0 ? [] : hasSizedTiles ? ['tiles', 'sized-tiles'] : ['tiles'],
    pictureRowRules: pictureRows.rules,
    isSparse:
      groups.flatMap((group) => (group[0]!.tile ? group : [group])).length <= MAX_SPARSE_BLOCKS &&
      linkCount <= MAX_SPARSE_BLOCKS &&
      tileGroups.every(([first]) => first!.tile!.group === 'small') &&
      !kinds.has('gallery'),
    isOneLink: sections.length === 1 && linkCount === 1,
    isList: isList && !isTruncated && linkCount > MAX_SPARSE_BLOCKS,
    countedUrls: pageLinks.countedUrls,
  };
}

function onlyBlock(messageResponse: Html): RenderedBlocks {
  return {
    sections: [messageResponse],
    social: undefined,
    sheets: ['card', 'contact-form', 'contact-form-response'],
    tileSheets: [],
    pictureRowRules: '',
    isSparse: true,
    isOneLink: false,
    isList: false,
    countedUrls: new Set(),
  };
}

function renderEachBlock(
  site: PublicSite,
  context: Parameters<RenderBlock>[2],
): { blocks: RenderedBlock[]; isTruncated: boolean } {
  const blocks: Omit<RenderedBlock, 'tile'>[] = [];
  // Limit the HTML, too: escaping can make it six times as large as the stored text.
  let remainingBytes: number = LIMITS.pageBytes;
  for (const block of site.blocks) {
    const { type, id } = block;
    const render = isBlockKind(type) ? BLOCK_RENDERERS[type].render : renderUnknown;
    const blockHtml = render(block, site, context);
    if (!blockHtml) continue;
    const rendered = context.isFramed ? withBlockId(blockHtml, id) : blockHtml;
    remainingBytes -= Buffer.byteLength(rendered.toString());
    if (remainingBytes < 0) break;
    blocks.push({ block, rendered });
  }
  const tiles = chooseTiles(blocks.map(({ block }) => block));
  return {
    blocks: blocks.map((member) => ({ ...member, tile: tiles.get(member.block) })),
    isTruncated: site.isTruncated || remainingBytes < 0,
  };
}

/** Only social links before all other known kinds are shown in the profile. */
function findLeadingSocial(blocks: readonly RenderedBlock[]): RenderedBlock | undefined {
  const first = blocks.find(({ block: { type }, tile }) =>
    type === 'social' ? !tile : isBlockKind(type),
  );
  return first?.block.type === 'social' ? first : undefined;
}

function groupBlocks(blocks: readonly RenderedBlock[]): RenderedBlock[][] {
  const groups: RenderedBlock[][] = [];
  for (const block of blocks) {
    const group = groups.at(-1);
    if (group && belongTogether(group[0]!, block)) group.push(block);
    else groups.push([block]);
  }
  return groups;
}

/** Adjacent links form one list, and so do pictures and tiles. The heading of tiles starts a group. */
function belongTogether(first: RenderedBlock, next: RenderedBlock): boolean {
  if (first.tile || next.tile)
    return !next.tile?.isHeading && first.tile?.group === next.tile?.group;
  const { type } = first.block;
  if (type === 'link' || type === 'event') return next.block.type === type;
  return [first, next].every(hasRatio);
}

function hasRatio({ block, tile }: RenderedBlock): boolean {
  return !tile && block.type === 'image' && imageRatio(block) !== undefined;
}

function renderGroup(group: readonly RenderedBlock[], pictureRows: PictureRows): Html {
  const { block, tile, rendered } = group[0]!;
  if (tile)
    return renderTiles(
      group.map((member) => ({
        tile: member.tile!,
        rendered: renderList(member.block.type, [member.rendered]) ?? member.rendered,
      })),
    );
  const list = renderList(
    block.type,
    group.map((member) => member.rendered),
  );
  if (list) return list;
  if (group.length === 1) return rendered;
  return renderImageRows(
    group.map((image) => ({ rendered: image.rendered, ratio: imageRatio(image.block)! })),
    pictureRows,
  );
}

/** For kinds whose blocks are list items. */
function renderList(type: string, items: readonly Html[]): Html | undefined {
  const classes = { link: 'links', event: 'card events' }[type];
  if (!classes) return undefined;
  return html`<ul class="${classes}">
    ${items}
  </ul>`;
}

/** In the order of the table, so pages with the same kinds share one style sheet. */
function sheetsOf(kinds: ReadonlySet<string>): string[] {
  const usedSheets = Object.entries(BLOCK_RENDERERS)
    .filter(([kind]) => kinds.has(kind))
    .flatMap(([, { sheets }]) => sheets);
  const hasUnknownKind = [...kinds].some((kind) => !isBlockKind(kind));
  return [...new Set([...usedSheets, ...(hasUnknownKind ? ['card'] : [])])];
}

import { LIMITS } from '#contract/limits.ts';
import { isContactUrl, isWebUrl } from '#contract/web-url.ts';

/** Title of a link or a heading; longer ones are cut. */
const MAX_TITLE_LENGTH = 200;

/** A block that was found, without an id. */
export type ExtractedBlock = { type: string } & Record<string, unknown>;

/** Proposal for a site, from a page elsewhere. */
export interface ExtractedPage {
  display_name: string | null;
  bio: string | null;
  avatar_url: string | null;
  blocks: ExtractedBlock[];
}

/** A piece of a page: a link, one that is only an icon, or a heading. */
export type PageItem =
  | { kind: 'link' | 'social'; url: string; title: string }
  | { kind: 'heading'; title: string };

/** Makes blocks of pieces: each address once, icons in one row, headings with something below them. */
export function toBlocks(pieces: readonly PageItem[]): ExtractedBlock[] {
  const seenUrls = new Set<string>();
  const blocks: ExtractedBlock[] = [];
  const items: { url: string; label?: string }[] = [];
  for (const piece of pieces) {
    const title = cleanLine(piece.title, MAX_TITLE_LENGTH);
    if (piece.kind === 'heading') {
      if (blocks.at(-1)?.type === 'heading') blocks.pop();
      if (title) blocks.push({ type: 'heading', content: title });
      continue;
    }
    const url = linkUrl(piece.url);
    if (url === undefined || seenUrls.has(url)) continue;
    seenUrls.add(url);
    if (piece.kind === 'link') blocks.push({ type: 'link', url, ...(title && { title }) });
    else if (items.push({ url, ...(title && { label: title }) }) === 1)
      blocks.unshift({ type: 'social', items });
  }
  if (blocks.at(-1)?.type === 'heading') blocks.pop();
  items.splice(LIMITS.blockItems);
  return blocks.slice(0, LIMITS.blocks);
}

/** An address as a link may have it: of the web, of mail or of a telephone. */
function linkUrl(text: string): string | undefined {
  const url = text.trim();
  if (url.length > LIMITS.url) return undefined;
  return isWebUrl(url) || isContactUrl(url) ? url : undefined;
}

/** The address of a picture that pages may show. */
export function pictureUrl(text: string | undefined): string | null {
  const url = text?.trim() ?? '';
  const isGood = url.length <= LIMITS.url && /^https:/i.test(url) && isWebUrl(url);
  return isGood ? url : null;
}

/** A text in one line without control characters, of a length that the site takes. */
export function cleanLine(text: string, length: number): string {
  const line = text
    .toWellFormed()
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  return [...line].slice(0, length).join('').trim();
}

/** Paragraphs without control characters, of a length that the site takes. */
export function cleanParagraphs(text: string, length: number): string {
  return [...text.toWellFormed()]
    .slice(0, length)
    .join('')
    .replace(/[^\P{Cc}\n]+/gu, ' ')
    .replace(/ *\n[\n ]*\n */g, '\n\n')
    .trim();
}

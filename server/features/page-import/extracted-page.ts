import { LIMITS } from '#contract/shared/limits.ts';
import { isContactUrl, isWebUrl } from '#contract/shared/web-url.ts';

const MAX_TITLE_LENGTH = 200;

export type ExtractedBlock = { type: string } & Record<string, unknown>;

export interface ExtractedPage {
  display_name: string | null;
  bio: string | null;
  avatar_url: string | null;
  blocks: ExtractedBlock[];
}

/** A `social` link is shown as an icon only. */
export type PageItem =
  | { kind: 'link' | 'social'; url: string; title: string }
  | { kind: 'heading'; title: string };

/** Removes duplicate URLs and empty sections, and collects social links in one block. */
export function toBlocks(items: readonly PageItem[]): ExtractedBlock[] {
  const seenUrls = new Set<string>();
  const blocks: ExtractedBlock[] = [];
  const socialItems: { url: string; label?: string }[] = [];
  for (const item of items) {
    const title = cleanLine(item.title, MAX_TITLE_LENGTH);
    if (item.kind === 'heading') {
      if (blocks.at(-1)?.type === 'heading') blocks.pop();
      if (title) blocks.push({ type: 'heading', content: title });
      continue;
    }
    const url = linkUrl(item.url);
    if (url === undefined || seenUrls.has(url)) continue;
    seenUrls.add(url);
    if (item.kind === 'link') blocks.push({ type: 'link', url, ...(title && { title }) });
    else if (socialItems.push({ url, ...(title && { label: title }) }) === 1)
      blocks.unshift({ type: 'social', items: socialItems });
  }
  if (blocks.at(-1)?.type === 'heading') blocks.pop();
  socialItems.splice(LIMITS.blockItems);
  return blocks.slice(0, LIMITS.blocks);
}

function linkUrl(text: string): string | undefined {
  const url = text.trim();
  if (url.length > LIMITS.url) return undefined;
  return isWebUrl(url) || isContactUrl(url) ? url : undefined;
}

export function pictureUrl(text: string | undefined): string | null {
  const url = text?.trim() ?? '';
  const isValid = url.length <= LIMITS.url && /^https:/i.test(url) && isWebUrl(url);
  return isValid ? url : null;
}

export function cleanLine(text: string, maxLength: number): string {
  const line = text
    .slice(0, 10 * maxLength)
    .toWellFormed()
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  return [...line].slice(0, maxLength).join('').trim();
}

export function cleanParagraphs(text: string, maxLength: number): string {
  return [...text.slice(0, 2 * maxLength).toWellFormed()]
    .slice(0, maxLength)
    .join('')
    .replace(/[^\P{Cc}\n]+/gu, ' ')
    .replace(/(?<![\n ]) *\n[\n ]*\n */g, '\n\n')
    .trim();
}

import { safeLine } from '#contract/safe-line.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import { isContactUrl, isWebUrl } from '#contract/shared/web-url.ts';
import { parseJson } from '#server/platform/outbound/read-response.ts';
import { readHtml } from './read-html.ts';
import { itemsOfJson, type PageItem } from './read-json.ts';
import { itemsOfText } from './read-text.ts';

const MAX_TITLE_LENGTH = 200;
const MAX_LEFT_OUT = 50;
const HTML = /<(?:!|\/?[a-z][a-z\d-]*[\s/>])/i;
/** The services themselves, and their advertisements. */
const SERVICE_HOSTS =
  /^(?:home\.)?(?:linktr\.ee|bio\.link|beacons\.ai|omg\.lol|linkstack\.org|littlelink\.io|carrd\.co)$/;
/** Relative URLs of a page whose address is not known lead here. */
const UNKNOWN_URL = 'https://unknown.invalid/';

type ExtractedBlock = { type: string; enabled: boolean } & Record<string, unknown>;

interface LeftOutItem {
  reason: 'old_page' | 'not_supported' | 'not_a_link' | 'too_many';
  title: string;
  url: string | null;
}

export interface ExtractedPage {
  blocks: ExtractedBlock[];
  left_out: LeftOutItem[];
}

/** Accepts HTML, JSON, Markdown, or plain text with URLs. Throws a `RangeError` if the source is too complex. */
export function extractPage(input: string): ExtractedPage {
  const source = input.replace(/^\uFEFF/, '');
  const json = parseJson(source);
  if (typeof json === 'object') return toBlocks(itemsOfJson(json));
  if (!HTML.test(source)) return toBlocks(itemsOfText(source));
  const { items, baseUrl } = readHtml(source);
  return toBlocks(items, baseUrl ?? UNKNOWN_URL);
}

/** Merges links with the same URL, drops empty sections, and collects social links in one block. */
function toBlocks(items: readonly PageItem[], baseUrl?: string): ExtractedPage {
  const blocks: ExtractedBlock[] = [];
  const blocksByUrl = new Map<string, ExtractedBlock>();
  const socialItems: { url: string; label?: string }[] = [];
  const left_out: LeftOutItem[] = [];
  const leaveOut = (reason: LeftOutItem['reason'], title: string, url: string | null) => {
    if (left_out.length < MAX_LEFT_OUT && (title || url)) left_out.push({ reason, title, url });
  };
  const dropEmptySection = () => blocks.at(-1)?.type === 'heading' && blocks.pop();
  for (const { kind, isHidden, ...item } of items) {
    const title = clean(item.title);
    const enabled = !isHidden;
    const isSocial = kind === 'social' && enabled;
    if (kind === 'heading') {
      dropEmptySection();
      if (title) blocks.push({ type: 'heading', content: title, enabled });
      continue;
    }
    const url = readUrl(item.url ?? '', baseUrl);
    const known = blocksByUrl.get(url ?? '');
    if (known) known.enabled ||= enabled;
    else if (kind === 'text') leaveOut('not_a_link', title, null);
    else if (url === undefined) leaveOut('not_supported', title, clean(item.url!));
    else if (baseUrl !== undefined && isOfOldPage(url, baseUrl))
      leaveOut('old_page', title, url.startsWith(UNKNOWN_URL) ? null : url);
    else if (
      isSocial ? socialItems.length === LIMITS.blockItems : blocks.length + 1 >= LIMITS.blocks
    )
      leaveOut('too_many', title, url);
    else if (isSocial) {
      blocksByUrl.set(url, { type: 'social', enabled });
      socialItems.push({ url, ...(title && { label: title }) });
    } else {
      const block = { type: 'link', url, ...(title && { title }), enabled };
      blocksByUrl.set(url, block);
      blocks.push(block);
    }
  }
  dropEmptySection();
  if (socialItems.length > 0) blocks.unshift({ type: 'social', items: socialItems, enabled: true });
  return { blocks, left_out };
}

function isOfOldPage(url: string, baseUrl: string): boolean {
  const host = (text: string) => URL.parse(text)?.hostname.replace(/^www\./, '');
  return /^http/i.test(url) && (host(url) === host(baseUrl) || SERVICE_HOSTS.test(host(url)!));
}

/** Reads a URL as browsers do. Returns undefined if a page cannot link to it. */
function readUrl(text: string, baseUrl?: string): string | undefined {
  const input = text.trim();
  const email = /^[^\s@/:]+@[^\s@/:.]+\.[^\s@/:]+$/.test(input) ? `mailto:${input}` : undefined;
  const completed = /^[^\s:/?#]+\./.test(input) ? URL.parse(`https://${input}`) : null;
  // A phone number may have spaces, which the URL parser keeps.
  const parsed = (URL.parse(input, baseUrl) ?? completed)?.href.replaceAll(' ', '');
  const url = [input, email, parsed].find((one) => one && (isWebUrl(one) || isContactUrl(one)));
  return url && url.length <= LIMITS.url ? url : undefined;
}

function clean(text: string): string {
  return safeLine(text.slice(0, 10 * MAX_TITLE_LENGTH), MAX_TITLE_LENGTH);
}

import { SITE_TEXTS } from '#contract/shared/site-fields.ts';
import { defaultTreeAdapter, type DefaultTreeAdapterTypes, parse } from 'parse5';
import { CONTACT_SCHEMES } from '#contract/shared/web-url.ts';
import { parseJson } from '#server/platform/outbound/read-response.ts';
import {
  toBlocks,
  cleanLine,
  cleanParagraphs,
  type ExtractedPage,
  type PageItem,
  pictureUrl,
} from './extracted-page.ts';
import { extractProfile, extractPerson } from './extract-profile.ts';

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;

/** As in Chromium. Parsing takes time for each level. */
const MAX_DEPTH = 512;
/** Of a title or a bio. Otherwise, nested links would be read once for each level. */
const MAX_TEXT_NODES = 200;
const INVISIBLE_ELEMENTS = new Set(['script', 'style', 'noscript', 'svg', 'template']);
const SERVICE_SUFFIX = /(?<!\s)\s*[|–—-]\s*(?:linktree|beacons|bio ?link|linkstack|omg\.lol).*/isu;
/** Links to the service itself are skipped. */
const SERVICE_HOSTS =
  /^(?:www\.|home\.)?(?:linktr\.ee|linktree\.com|bio\.link|beacons\.ai|omg\.lol|linkstack\.org|littlelink\.io)$/;
const URL_IN_TEXT = new RegExp(`(?:https?://|(?:${CONTACT_SCHEMES.join('|')}):)[^\\s"'<>]+`, 'gi');

interface PageScan {
  data: unknown[];
  meta: Map<string, string>;
  title: string;
  heading: string;
  bio: string;
  picture: string;
  items: PageItem[];
}

/**
 * Accepts HTML, JSON, or plain text with URLs. Prefers embedded JSON to the visible content of the
 * page.
 */
export function extractPage(source: string): ExtractedPage {
  const scan = scanSource(source);
  const profile = scan.data.map(extractProfile).find((candidate) => candidate !== undefined);
  const person = scan.data.map(extractPerson).find(({ name }) => name !== undefined);
  const meta = (...names: string[]) =>
    names.map((name) => scan.meta.get(name)).find((text) => text?.trim());
  const { name, bio, picture, items } = profile ?? {
    name: person?.name ?? meta('og:title', 'twitter:title') ?? (scan.heading || scan.title),
    bio: person?.bio ?? (scan.bio || meta('og:description', 'description')),
    picture: person?.picture ?? (scan.picture || meta('og:image')),
    items: scan.items,
  };
  const title = cleanLine(name ?? '', SITE_TEXTS.display_name.max).replace(SERVICE_SUFFIX, '');
  return {
    display_name: title || null,
    bio: cleanParagraphs(bio ?? '', SITE_TEXTS.bio.max) || null,
    avatar_url: pictureUrl(picture),
    blocks: toBlocks(items),
  };
}

function scanSource(source: string): PageScan {
  const scan: PageScan = {
    data: [],
    meta: new Map(),
    title: '',
    heading: '',
    bio: '',
    picture: '',
    items: [],
  };
  const json = parseJson(source);
  if (json !== undefined) scan.data.push(json);
  else if (/<[a-z!]/i.test(source))
    for (const element of elementsOf(parseHtml(source))) scanElement(scan, element);
  else scan.items = source.split('\n').flatMap(itemsInLine);
  return scan;
}

/** Throws a `RangeError` if the elements are nested too deeply. */
function parseHtml(source: string): DefaultTreeAdapterTypes.Document {
  let depth = 0;
  const onItemPush = () => {
    depth += 1;
    if (depth > MAX_DEPTH) throw new RangeError('The page is nested too deeply.');
  };
  const onItemPop = () => {
    depth -= 1;
  };
  return parse(source, { treeAdapter: { ...defaultTreeAdapter, onItemPush, onItemPop } });
}

function scanElement(scan: PageScan, element: Element): void {
  const attribute = (name: string) => element.attrs.find((attr) => attr.name === name)?.value ?? '';
  const names = `${attribute('class')} ${attribute('id')}`;
  switch (element.tagName) {
    case 'script':
      if (/json/i.test(attribute('type'))) scan.data.push(parseJson(textOf(element, false)));
      return;
    case 'meta': {
      const name = (attribute('property') || attribute('name')).toLowerCase();
      if (name && !scan.meta.has(name)) scan.meta.set(name, attribute('content'));
      return;
    }
    case 'title':
      scan.title ||= textOf(element);
      return;
    case 'h1':
      scan.heading ||= textOf(element);
      return;
    case 'h2':
      scan.items.push({ kind: 'heading', title: textOf(element) });
      return;
    case 'img':
      if (/avatar|profile/i.test(names)) scan.picture ||= attribute('src');
      return;
    case 'a': {
      const url = attribute('href');
      if (SERVICE_HOSTS.test(URL.parse(url)?.hostname ?? '')) return;
      const text = textOf(element).trim();
      const label = attribute('aria-label') || attribute('title');
      scan.items.push({ kind: text ? 'link' : 'social', url, title: text || label });
      return;
    }
    default:
      // LinkStack uses this class name.
      if (/\bdescription-parent\b/.test(names)) scan.bio ||= textOf(element);
  }
}

function* elementsOf(root: Node): Generator<Element> {
  for (const node of nodesOf(root, () => true)) if ('tagName' in node) yield node;
}

/** If `skipInvisible` is true, skips the text of invisible elements. */
function textOf(element: Element, skipInvisible = true): string {
  let text = '';
  let count = 0;
  const isVisible = (node: Node) => !(skipInvisible && INVISIBLE_ELEMENTS.has(node.nodeName));
  for (const node of nodesOf(element, isVisible)) {
    if ((count += 1) > MAX_TEXT_NODES) break;
    if ('value' in node) text += node.value;
    else if (node.nodeName === 'br') text += '\n';
  }
  return text;
}

/** Not recursive, because untrusted input may be nested deeply. */
function* nodesOf(root: Node, canEnter: (node: Node) => boolean): Generator<Node> {
  const stack = [root];
  for (let node = stack.pop(); node; node = stack.pop()) {
    yield node;
    if (!('childNodes' in node) || !canEnter(node)) continue;
    for (let index = node.childNodes.length - 1; index >= 0; index -= 1)
      stack.push(node.childNodes[index]!);
  }
}

/** If the line has one URL, the rest of the line is the title. */
function itemsInLine(line: string): PageItem[] {
  const urls = line.match(URL_IN_TEXT) ?? [];
  return urls.map((url) => ({
    kind: 'link',
    url,
    title: urls.length === 1 ? line.replace(url, '').replace(/(?<![\s:–-])[\s:–-]+$/, '') : '',
  }));
}

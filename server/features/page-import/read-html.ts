import { defaultTreeAdapter, type DefaultTreeAdapterTypes, Parser } from 'parse5';
import { parseJson } from '#server/platform/outbound/read-response.ts';
import type { CheckCpuTime } from './cpu-limit.ts';
import { itemsOfJson, type PageItem } from './read-json.ts';
import { itemsOfText } from './read-text.ts';

type Node = DefaultTreeAdapterTypes.ChildNode;

/** As in Chromium. Parsing takes time for each level. */
const MAX_DEPTH = 512;
/** Short, because each tag of a malicious page can add hundreds of elements. */
const CHUNK_LENGTH = 4_096;
const TEXTLESS_ELEMENTS = /^(?:style|noscript|svg|template|button|select|textarea)$/;
const BLOCK_ELEMENTS =
  /^(?:p|div|li|ul|ol|td|tr|table|section|article|header|footer|main|nav|form|body|h[4-6]|blockquote)$/;
const HEAD_ELEMENTS = /^(?:title|h1|script|head)$/;
const HIDDEN_STYLE = /display\s*:\s*none|visibility\s*:\s*hidden/i;
const HIDDEN_CLASS = /(?:^|\s)(?:hidden|d-none|is-hidden|invisible)(?:\s|$)/;

/**
 * Reads the JSON in the scripts of a page if it contains links, otherwise its elements. `baseUrl` is the
 * address that the page gives as its own. Throws a `RangeError` if the elements are nested too deeply.
 */
export function readHtml(
  source: string,
  checkCpuTime: CheckCpuTime,
): { items: PageItem[]; baseUrl: string | undefined } {
  let depth = 0;
  const onItemPush = () => {
    if ((depth += 1) > MAX_DEPTH) throw new RangeError('The page is nested too deeply.');
  };
  const onItemPop = () => (depth -= 1);
  const treeAdapter = { ...defaultTreeAdapter, onItemPush, onItemPop };
  const items: PageItem[] = [];
  const dataItems: PageItem[] = [];
  let baseUrl: string | undefined;

  /** Returns the text that belongs to the parent element. */
  function visit(node: Node, isParentHidden: boolean): string {
    if ('value' in node) return node.value;
    if (!('tagName' in node) || TEXTLESS_ELEMENTS.test(node.tagName)) return '';
    const { tagName, childNodes, attrs } = node;
    const attribute = Object.fromEntries(attrs.map(({ name, value }) => [name, value]));
    const isHidden = isParentHidden || isHiddenElement(attribute);
    let text = '';
    for (const child of childNodes) text += visit(child, isHidden);
    const { href, type = '', rel, property, content } = attribute;
    if (tagName === 'br') return '\n';
    if (tagName === 'script' && /json/i.test(type))
      dataItems.push(...itemsOfJson(parseJson(text), checkCpuTime));
    else if (tagName === 'base' || rel === 'canonical') baseUrl ??= href;
    else if (property === 'og:url') baseUrl ??= content;
    else if (/^h[23]$/.test(tagName)) items.push({ kind: 'heading', title: text, isHidden });
    else if (tagName === 'a' && href !== undefined) {
      const title = text.trim() || (attribute['aria-label'] ?? attribute['title'] ?? '');
      items.push({ kind: text.trim() ? 'link' : 'social', url: href, title, isHidden });
    } else if (BLOCK_ELEMENTS.test(tagName))
      for (const item of itemsOfText(text, checkCpuTime)) items.push({ ...item, isHidden });
    else if (!HEAD_ELEMENTS.test(tagName)) return text;
    return '';
  }

  const parser = new Parser({ treeAdapter });
  for (let index = 0; index < source.length; index += CHUNK_LENGTH) {
    const end = index + CHUNK_LENGTH;
    parser.tokenizer.write(source.slice(index, end), end >= source.length);
    checkCpuTime();
  }
  for (const node of parser.document.childNodes) visit(node, false);
  return { items: dataItems.some(({ url }) => url) ? dataItems : items, baseUrl };
}

function isHiddenElement(attribute: Readonly<Record<string, string>>): boolean {
  return (
    'hidden' in attribute ||
    attribute['aria-hidden'] === 'true' ||
    HIDDEN_STYLE.test(attribute['style'] ?? '') ||
    HIDDEN_CLASS.test(attribute['class'] ?? '')
  );
}

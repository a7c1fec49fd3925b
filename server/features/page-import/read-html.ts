import { defaultTreeAdapter, type DefaultTreeAdapterTypes, parse } from 'parse5';
import { parseJson } from '#server/platform/outbound/read-response.ts';
import { itemsOfJson, type PageItem } from './read-json.ts';
import { itemsOfText } from './read-text.ts';

type Node = DefaultTreeAdapterTypes.ChildNode;

/** As in Chromium. Parsing takes time for each level. */
const MAX_DEPTH = 512;
/** Large pages have some thousands. Each tag of a malicious one can add hundreds. */
const MAX_ELEMENTS = 50_000;
const TEXTLESS_ELEMENTS = /^(?:style|noscript|svg|template|button|select|textarea)$/;
const BLOCK_ELEMENTS =
  /^(?:p|div|li|ul|ol|td|tr|table|section|article|header|footer|main|nav|form|body|h[4-6]|blockquote)$/;
const HEAD_ELEMENTS = /^(?:title|h1|script|head)$/;
const HIDDEN_STYLE = /display\s*:\s*none|visibility\s*:\s*hidden/i;
const HIDDEN_CLASS = /(?:^|\s)(?:hidden|d-none|is-hidden|invisible)(?:\s|$)/;

/**
 * Reads the JSON in the scripts of a page if it contains links, otherwise its elements. `baseUrl` is the
 * address that the page gives as its own. Throws a `RangeError` if there are too many elements, or they are nested too deeply.
 */
export function readHtml(source: string): { items: PageItem[]; baseUrl: string | undefined } {
  let depth = 0;
  let elements = 0;
  const onItemPush = () => {
    if ((depth += 1) > MAX_DEPTH) throw new RangeError('The page is nested too deeply.');
    if ((elements += 1) > MAX_ELEMENTS) throw new RangeError('The page has too many elements.');
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
    if (tagName === 'script' && /json/i.test(type)) dataItems.push(...itemsOfJson(parseJson(text)));
    else if (tagName === 'base' || rel === 'canonical') baseUrl ??= href;
    else if (property === 'og:url') baseUrl ??= content;
    else if (/^h[23]$/.test(tagName)) items.push({ kind: 'heading', title: text, isHidden });
    else if (tagName === 'a' && href !== undefined) {
      const title = text.trim() || (attribute['aria-label'] ?? attribute['title'] ?? '');
      items.push({ kind: text.trim() ? 'link' : 'social', url: href, title, isHidden });
    } else if (BLOCK_ELEMENTS.test(tagName))
      for (const item of itemsOfText(text)) items.push({ ...item, isHidden });
    else if (!HEAD_ELEMENTS.test(tagName)) return text;
    return '';
  }

  for (const node of parse(source, { treeAdapter }).childNodes) visit(node, false);
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

import MarkdownIt from 'markdown-it';
import { createLinkFinder } from '#page/html/link-finder.ts';
import type { PageItem } from './read-json.ts';

const SEPARATORS = String.raw`\s\p{Cf}"“”„«»‘’\u0060,;:|*–—\-`;
const OUTER_SEPARATORS = new RegExp(
  String.raw`^(?:\d{1,3}[.)]\s|\[[ x]?\]|[${SEPARATORS}#>•·)\]])+|(?<![${SEPARATORS}([])[${SEPARATORS}([]+$`,
  'gu',
);
/** An emoji is a word, too. */
const HAS_WORD = /[\p{L}\p{N}\p{S}]/u;

const markdown = new MarkdownIt('zero', { linkify: true });
markdown.enable(['escape', 'link', 'autolink', 'emphasis', 'linkify']);
markdown.validateLink = () => true;
markdown.normalizeLink = (url) => url;
markdown.linkify = createLinkFinder().set({ fuzzyLink: true, fuzzyEmail: true });
// URLs and email addresses stay as they are, without a scheme.
markdown.linkify.normalize = () => {};

/** Reads plain text or Markdown. */
export function itemsOfText(text: string): PageItem[] {
  return text.split('\n').flatMap(itemsOfLine);
}

function itemsOfLine(line: string): PageItem[] {
  const links: (PageItem & { isBare: boolean })[] = [];
  /** Before each link, and after the last one. */
  const texts = [''];
  let isInLink = false;
  // Browsers ignore soft hyphens in hosts, but not in paths.
  const [{ children } = {}] = markdown.parseInline(line.replaceAll('\u00AD', ''), {});
  for (const token of children ?? []) {
    if (token.type === 'link_open') {
      const url = String(token.attrGet('href'));
      links.push({ kind: 'link', url, title: '', isBare: token.markup !== '' });
      texts.push('');
      isInLink = true;
    } else if (token.type === 'link_close') isInLink = false;
    else if (isInLink) links.at(-1)!.title += token.content;
    else texts[links.length] += token.content;
  }
  const titles = texts
    .map((text) => text.replace(OUTER_SEPARATORS, ''))
    .map((text) => (HAS_WORD.test(text) ? text : ''));
  if (links.length === 0 && titles[0])
    return [{ kind: /^#{1,6}\s/.test(line) ? 'heading' : 'text', title: titles[0] }];
  return links.map(({ isBare, title, ...link }, index) => ({
    ...link,
    title: isBare ? titles[index]! || (links.length === 1 ? titles[1]! : '') : title,
  }));
}

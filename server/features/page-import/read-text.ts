import { CsvError, parse } from 'csv-parse/sync';
import MarkdownIt from 'markdown-it';
import { CONTACT_SCHEMES } from '#contract/shared/web-url.ts';
import { createLinkFinder } from '#page/html/link-finder.ts';
import { itemsOfJson, type PageItem } from './read-json.ts';

const SEPARATORS = String.raw`\s\p{Cf}"“”„«»‘’\u0060,;:|*–—\-`;
const OUTER_SEPARATORS = new RegExp(
  String.raw`^(?:\d{1,3}[.)]\s|\[[ x]?\]|[${SEPARATORS}#>•·)\]])+|(?<![${SEPARATORS}([])[${SEPARATORS}([]+$`,
  'gu',
);
const PHONE_NUMBER = /^\+?\d[\d().\- ]{0,30}\d/;

const markdown = new MarkdownIt('zero', { linkify: true });
markdown.enable(['escape', 'link', 'autolink', 'emphasis', 'linkify']);
markdown.validateLink = () => true;
markdown.normalizeLink = (url) => url;
markdown.linkify = createLinkFinder().set({ fuzzyLink: true, fuzzyEmail: true });
// URLs and email addresses stay as they are, without a scheme.
markdown.linkify.normalize = () => {};
for (const scheme of CONTACT_SCHEMES.filter((name) => name !== 'mailto'))
  markdown.linkify.add(`${scheme}:`, {
    validate: (text, start) => {
      const pattern = scheme === 'tel' ? PHONE_NUMBER : /^[^\s"'<>]+/;
      return pattern.exec(text.slice(start))?.[0].length ?? 0;
    },
  });

/** Reads plain text, Markdown, or CSV with a header. */
export function itemsOfText(text: string): PageItem[] {
  return itemsOfCsv(text) ?? text.split('\n').flatMap(itemsOfLine);
}

function itemsOfCsv(text: string): PageItem[] | undefined {
  const header = text.slice(0, text.indexOf('\n')).toLowerCase();
  if (!/(?<=^|[,;\t])"?(?:url|link|href)"?\s*(?:$|[,;\t])/.test(header)) return undefined;
  const delimiter = /[,;\t]|$/.exec(header)![0] || ',';
  const columns = (names: string[]) => names.map((name) => name.trim().toLowerCase());
  const options = { columns, delimiter, relax_column_count: true, relax_quotes: true, trim: true };
  try {
    return itemsOfJson(parse(text, options));
  } catch (error) {
    if (error instanceof CsvError) return undefined;
    throw error;
  }
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
  const titles = texts.map((text) => text.replace(OUTER_SEPARATORS, ''));
  if (links.length === 0 && titles[0])
    return [{ kind: /^#{1,6}\s/.test(line) ? 'heading' : 'text', title: titles[0] }];
  return links.map(({ isBare, title, ...link }, index) => ({
    ...link,
    title: isBare ? titles[index]! || (links.length === 1 ? titles[1]! : '') : title,
  }));
}

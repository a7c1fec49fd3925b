/** A link that was found in a text. */
export interface FoundLink {
  url: string;
  title: string;
}

const ANCHOR = /<a\b[^>]*?\bhref\s*=\s*(?:"([^"]*)"|'([^']*)')[^>]*>(.*?)<\/a>/gis;
/** As pages that draw themselves carry their links along. */
const JSON_LINK = /"title":"((?:[^"\\]|\\.)*)"[^{}]*?"url":"((?:[^"\\]|\\.)*)"/g;
const PLAIN = /(?:https?:\/\/|mailto:|tel:)[^\s"'<>]+/gi;
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};
const MOST = 100;

/**
 * The links in what somebody copied from another page: its source, or its text. Read as text: nothing
 * of it becomes a document.
 */
export function foundLinks(text: string): FoundLink[] {
  const found = [
    ...[...text.matchAll(ANCHOR)].map(([, one, other, inner = '']) => ({
      url: decoded(one ?? other ?? ''),
      title: decoded(inner.replace(/<(style|script)\b.*?<\/\1>|<[^>]*>/gis, ' ')),
    })),
    ...[...text.matchAll(JSON_LINK)].map(([, title, url]) => ({
      url: unquoted(url),
      title: unquoted(title),
    })),
  ];
  const all = found.length > 0 ? found : text.split('\n').flatMap(linksOfLine);
  const byUrl = new Map<string, FoundLink>();
  for (const link of all) {
    const url = link.url.trim();
    if (!/^(?:https?:\/\/|mailto:|tel:)/i.test(url) || !URL.canParse(url)) continue;
    const title = link.title.toWellFormed().replace(/\s+/g, ' ').trim().slice(0, 200);
    if (!byUrl.get(url)?.title) byUrl.set(url, { url, title });
  }
  return [...byUrl.values()].slice(0, MOST);
}

/** Links of a line; the text before an address is its name. */
function linksOfLine(line: string): FoundLink[] {
  const [, ...more] = line.match(PLAIN) ?? [];
  return [...line.matchAll(PLAIN)].map(([url], at) => ({
    url,
    title: at === 0 && more.length === 0 ? line.replace(url, '').replace(/[\s:–-]+$/, '') : '',
  }));
}

function decoded(text: string): string {
  return text.replace(/&(?:#(\d{1,6})|#x([\da-f]{1,5})|(\w+));/gi, (all, ten, sixteen, name) => {
    const code = ten ? Number(ten) : Number.parseInt(sixteen ?? '', 16);
    return Number.isNaN(code)
      ? (ENTITIES[name] ?? all)
      : String.fromCodePoint(Math.min(code, 0x10ffff));
  });
}

function unquoted(text = ''): string {
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    return '';
  }
}

import MarkdownIt, { type Token } from 'markdown-it';
import { type Html, html, trusted } from './html.ts';
import { hostSuffix, hostIfMisleading } from './link-text.ts';
import type { PageLinks } from './page-links.ts';
import { safeLinkUrl, EXTERNAL_REL } from './safe-url.ts';

const RULES = [
  ...['newline', 'escape', 'entity', 'backticks', 'emphasis', 'link', 'autolink', 'linkify'],
  ...['list', 'blockquote', 'code', 'fence'],
];

/** An address in which nothing stands for other characters. */
const PRINTABLE_ASCII = /^[!-~]+$/;
const ENCODED = /%|xn--/i;

const markdown = new MarkdownIt('zero', {
  html: false,
  breaks: true,
  linkify: true,
  maxNesting: 20,
}).enable(RULES);
markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
// Each is asked about what the other made of the address.
markdown.normalizeLink = (url) => safeLinkUrl(url) ?? '';
markdown.validateLink = (url) => url !== '';
const normalizeLinkText = markdown.normalizeLinkText.bind(markdown);
// Most addresses are readable as they are.
markdown.normalizeLinkText = (url) =>
  PRINTABLE_ASCII.test(url) && !ENCODED.test(url) ? url : normalizeLinkText(url);
markdown.core.ruler.push('attributes', ({ tokens, env, Token: TokenClass }) => {
  for (const token of tokens) {
    // Texts of any script stand as that script is written. What is inside has no direction of its
    // own: a browser would not look into it for that of a whole list or quotation.
    if (token.level === 0 && token.nesting === 1) token.attrSet('dir', 'auto');
    for (const child of token.children ?? [])
      if (child.type === 'link_open') {
        child.attrSet('rel', EXTERNAL_REL);
        const ping = (env as RenderEnv).links?.pingFor(String(child.attrGet('href')));
        if (ping !== undefined) child.attrSet('ping', ping);
      }
    if (token.children) token.children = withHosts(token.children, TokenClass);
    // The language of a fence would become a class; nothing here needs it.
    token.info = '';
  }
});

/** Context of the text that is rendered. */
interface RenderEnv {
  links?: PageLinks | undefined;
}

/** Says behind each link whose text names another host where it leads. */
function withHosts(tokens: Token[], TokenClass: typeof Token): Token[] {
  const make = (type: 'html_inline' | 'text', content: string) =>
    Object.assign(new TokenClass(type, '', 0), { content });
  const parts: Token[] = [];
  let open: { at: number; target: string } | undefined;
  for (const token of tokens) {
    if (token.type === 'link_open')
      open = { at: parts.length, target: String(token.attrGet('href')) };
    if (token.type === 'link_close' && open) {
      const text = parts
        .slice(open.at)
        .map(({ content }) => content)
        .join('');
      const place = hostIfMisleading(text, open.target);
      if (place !== undefined) {
        parts.splice(open.at + 1, 0, make('html_inline', '<bdi>'));
        parts.push(make('html_inline', '</bdi>'), make('text', hostSuffix(place)));
      }
    }
    parts.push(token);
  }
  return parts;
}

/** Characters that Markdown is written with: letters, digits and spaces cost next to nothing. */
const MARKUP_CHARACTER = /[\n!-/:-@[-`{-~]/;
const isMarkupCode = Array.from({ length: 128 }, (_, code) =>
  MARKUP_CHARACTER.test(String.fromCharCode(code)),
);

/** Limit of such characters in one page: a megabyte of them can hold up everybody for seconds. */
const MAX_MARKUP_CHARACTERS = 2_000;

/** Renders the texts of one page. */
export type RenderMarkdown = (text: string) => Html;

/** Markdown without HTML, images, headings and tables; what is too much for a page stands as it was written. */
export function createMarkdownRenderer(links?: PageLinks): RenderMarkdown {
  let left = MAX_MARKUP_CHARACTERS;
  return (text) => {
    if (left >= 0) left -= countMarkup(text);
    return left >= 0
      ? trusted(markdown.render(text, { links } satisfies RenderEnv))
      : html`<p class="plain" dir="auto">${text}</p>`;
  };
}

/** How many there are, without a list of them. */
function countMarkup(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at += 1) if (isMarkupCode[text.charCodeAt(at)]) count += 1;
  return count;
}

import MarkdownIt, { type StateCore, type Token } from 'markdown-it';
import cjkFriendly from 'markdown-it-cjk-friendly';
import type { PageLinks } from '../page-links.ts';
import { type Html, html, trustedHtml } from './html.ts';
import { createLinkFinder } from './link-finder.ts';
import { hostSuffix, hostIfMisleading } from './link-text.ts';
import { safeLinkUrl, EXTERNAL_REL } from './safe-url.ts';

const ENABLED_RULES = [
  ...['newline', 'escape', 'entity', 'backticks', 'emphasis', 'link', 'autolink', 'linkify'],
  ...['list', 'blockquote', 'code', 'fence'],
];

const PRINTABLE_ASCII = /^[!-~]+$/;
const ENCODED_PATTERN = /%|xn--/i;

const markdown = createParser(ENABLED_RULES);

function createParser(rules: string[]) {
  const parser = new MarkdownIt('zero', {
    html: false,
    breaks: true,
    linkify: true,
    maxNesting: 20,
  })
    .use(cjkFriendly)
    .enable(rules);
  parser.linkify = createLinkFinder();
  // markdown-it validates the normalized URL: unsafe URLs become '', which is rejected.
  parser.normalizeLink = (url) => safeLinkUrl(url) ?? '';
  parser.validateLink = (url) => url !== '';
  const normalizeLinkText = parser.normalizeLinkText.bind(parser);
  // Decoding is slow, and most URLs are readable as they are.
  parser.normalizeLinkText = (url) =>
    PRINTABLE_ASCII.test(url) && !ENCODED_PATTERN.test(url) ? url : normalizeLinkText(url);
  parser.core.ruler.push('attributes', setAttributes);
  return parser;
}

function setAttributes({ tokens, env, Token: TokenClass }: StateCore): void {
  for (const token of tokens) {
    // Top-level elements detect their own direction. Nested ones must not, because browsers skip
    // elements with a `dir` attribute when they detect the direction of the parent.
    if (token.level === 0 && token.nesting === 1) token.attrSet('dir', 'auto');
    for (const child of token.children ?? [])
      if (child.type === 'link_open') {
        child.attrSet('rel', EXTERNAL_REL);
        const ping = (env as RenderEnv).links?.pingFor(String(child.attrGet('href')));
        if (ping !== undefined) child.attrSet('ping', ping);
      }
    if (token.children) token.children = withHosts(token.children, TokenClass);
    // The title of the page is its only `h1`.
    if (token.tag === 'h1') token.tag = 'h2';
    // markdown-it would turn the language of a fence into a class.
    token.info = '';
  }
}

interface RenderEnv {
  links?: PageLinks | undefined;
}

/** Appends the real host to links whose text names another one. */
function withHosts(tokens: Token[], TokenClass: typeof Token): Token[] {
  const createToken = (type: 'html_inline' | 'text', content: string) =>
    Object.assign(new TokenClass(type, '', 0), { content });
  const result: Token[] = [];
  let openLink: { index: number; target: string } | undefined;
  for (const token of tokens) {
    if (token.type === 'link_open')
      openLink = { index: result.length, target: String(token.attrGet('href')) };
    if (token.type === 'link_close' && openLink) {
      const text = result
        .slice(openLink.index)
        .map(({ content }) => content)
        .join('');
      const host = hostIfMisleading(text, openLink.target);
      if (host !== undefined) {
        result.splice(openLink.index + 1, 0, createToken('html_inline', '<bdi>'));
        result.push(createToken('html_inline', '</bdi>'), createToken('text', hostSuffix(host)));
      }
    }
    result.push(token);
  }
  return result;
}

/** Characters that are slow to parse. Letters, digits and spaces cost almost nothing. */
const MARKUP_CHARACTER = /[\n!-/:-@[-`{-~]/;
const isMarkupCode = Array.from({ length: 128 }, (_, code) =>
  MARKUP_CHARACTER.test(String.fromCharCode(code)),
);

/** Per page. A megabyte of these characters could block the event loop for seconds. */
const MAX_MARKUP_CHARACTERS = 2_000;

export type RenderMarkdown = (text: string) => Html;

/**
 * Renders Markdown without HTML, images, headings or tables. Once a text exceeds the page's limit,
 * it and all later texts stay plain.
 */
export function createMarkdownRenderer(links?: PageLinks): RenderMarkdown {
  let remainingCharacters = MAX_MARKUP_CHARACTERS;
  return (text) => {
    if (remainingCharacters >= 0) remainingCharacters -= countMarkup(text);
    return remainingCharacters >= 0
      ? trustedHtml(markdown.render(text, { links } satisfies RenderEnv))
      : html`<p class="plain" dir="auto">${text}</p>`;
  };
}

/**
 * Renders a text of an operator, with headings. Its cost is limited by its
 * length, because only operators write such texts.
 */
export function renderDocument(text: string): Html {
  const parser = createParser([...ENABLED_RULES, 'heading']);
  return trustedHtml(parser.render(text, {} satisfies RenderEnv));
}

function countMarkup(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index += 1)
    if (isMarkupCode[text.charCodeAt(index)]) count += 1;
  return count;
}

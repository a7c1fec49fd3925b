import MarkdownIt from 'markdown-it';
import { type Html, html, trusted } from './html.ts';
import { linkTarget, OUTSIDE } from './target.ts';

const RULES = [
  ...['newline', 'escape', 'entity', 'backticks', 'emphasis', 'link', 'autolink', 'linkify'],
  ...['list', 'blockquote', 'code', 'fence'],
];

const markdown = new MarkdownIt('zero', {
  html: false,
  breaks: true,
  linkify: true,
  maxNesting: 20,
}).enable(RULES);
markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
markdown.validateLink = (url) => linkTarget(url) !== undefined;
markdown.normalizeLink = (url) => linkTarget(url) ?? '';
markdown.core.ruler.push('attributes', ({ tokens }) => {
  for (const token of tokens) {
    // Texts of any script stand as that script is written. What is inside has no direction of its
    // own: a browser would not look into it for that of a whole list or quotation.
    if (token.level === 0 && token.nesting === 1) token.attrSet('dir', 'auto');
    for (const child of token.children ?? [])
      if (child.type === 'link_open') child.attrSet('rel', OUTSIDE);
    // The language of a fence would become a class; nothing here needs it.
    token.info = '';
  }
});

/** Characters of Markdown in one page: a megabyte of it can hold up everybody for seconds. */
const MAX_CHARACTERS = 20_000;

/** Renders the texts of one page. */
export type RenderMarkdown = (text: string) => Html;

/** Markdown without HTML, images, headings and tables; what is too much for a page stands as it was written. */
export function markdownOfPage(): RenderMarkdown {
  let left = MAX_CHARACTERS;
  return (text) => {
    left -= text.length;
    return left >= 0
      ? trusted(markdown.render(text))
      : html`<p class="plain" dir="auto">${text}</p>`;
  };
}

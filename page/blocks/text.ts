import { displayUrl } from '#contract/shared/web-url.ts';
import { textOf, itemsOf } from '../fields/fields.ts';
import { html } from '../html/html.ts';
import { linkText } from '../html/link-text.ts';
import { safeWebUrl } from '../html/safe-url.ts';
import { renderIcon } from '../icons/icon.ts';
import type { RenderBlock } from './block.ts';

/** At least three lines, which a large first letter needs. */
const LONG_PARAGRAPH = /^\s*[^\n]{200}/;

export const renderText: RenderBlock = (block, _site, { renderMarkdown }) => {
  const content = textOf(block, 'content');
  return content === undefined
    ? undefined
    : html`<div class="text${LONG_PARAGRAPH.test(content) && ' initial'}">
        ${renderMarkdown(content)}
      </div>`;
};

export const renderHeading: RenderBlock = (block) => {
  const content = textOf(block, 'content', 'title');
  if (content === undefined) return undefined;
  // A long word does not fit into a large heading on a phone.
  return html`<h2${/\S{13}/.test(content) && html` class="long"`} dir="auto">${content}</h2>`;
};

export const renderQuote: RenderBlock = (block, _site, { renderMarkdown }) => {
  const content = textOf(block, 'content');
  if (!content) return undefined;
  const cite = textOf(block, 'cite');
  return html`<figure class="quote">
    <blockquote>${renderMarkdown(content)}</blockquote>
    ${cite && html`<figcaption dir="auto">${cite}</figcaption>`}
  </figure>`;
};

export const renderCode: RenderBlock = (block) => {
  const content = textOf(block, 'content');
  if (!content) return undefined;
  const title = textOf(block, 'title', 'language');
  return html`<figure class="code">
    ${title && html`<figcaption dir="auto">${title}</figcaption>`}
    <pre dir="ltr"><code>${content}</code></pre>
  </figure>`;
};

/** Reads questions from `items` and from the block itself. */
export const renderFaq: RenderBlock = (block, _site, { renderMarkdown }) => {
  const entries = [block, ...itemsOf(block, 'items')].flatMap((item) => {
    const question = textOf(item, 'title', 'question');
    const answer = textOf(item, 'content', 'answer');
    return question && answer ? [{ question, answer }] : [];
  });
  if (entries.length === 0) return undefined;
  return html`<div class="faq">
    ${entries.map(
      ({ question, answer }) =>
        html`<details>
          <summary><span dir="auto">${question}</span>${renderIcon('plus', 'toggle')}</summary>
          <div class="text">${renderMarkdown(answer)}</div>
        </details>`,
    )}
  </div>`;
};

export const renderKey: RenderBlock = (block, _site, { locale }) => {
  const content = textOf(block, 'content');
  if (!content) return undefined;
  const kind = textOf(block, 'kind', 'title') ?? locale.t('Public key');
  return html`<details class="key">
    <summary><span dir="auto">${kind}</span>${renderIcon('plus', 'toggle')}</summary>
    <pre dir="ltr"><code>${content}</code></pre>
  </details>`;
};

export const renderDivider: RenderBlock = () => html`<hr />`;

/**
 * Shows only title, content and URL, because other fields of unknown kinds may be private notes.
 */
export const renderUnknown: RenderBlock = (block, _site, { links }) => {
  const title = textOf(block, 'title', 'name', 'label');
  const content = textOf(block, 'content');
  const target = safeWebUrl(block['url']);
  if (!title && !content && !target) return undefined;
  const name = title ?? (target && !content ? displayUrl(target) : undefined);
  return html`<section class="card">
    ${
      name &&
      html`<h2 dir="auto">
        ${target ? html`<a ${links.attributesFor(target)}>${linkText(name, target)}</a>` : name}
      </h2>`
    }${content && html`<p dir="auto">${content}</p>`}${
      target &&
      !name &&
      html`<p><a dir="ltr" ${links.attributesFor(target)}>${displayUrl(target)}</a></p>`
    }
  </section>`;
};

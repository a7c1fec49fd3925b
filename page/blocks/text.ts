import { textOf, itemsOf } from '../fields.ts';
import { html } from '../html.ts';
import { icon } from '../icons/icon.ts';
import { linkText } from '../link-text.ts';
import { webTarget } from '../target.ts';
import type { RenderBlock } from './block.ts';
import { shortAddress } from './links.ts';

export const text: RenderBlock = (block, _site, { markdown }) => {
  const content = textOf(block, 'content');
  return content === undefined ? undefined : html`<div class="text">${markdown(content)}</div>`;
};

export const heading: RenderBlock = (block) => {
  const content = textOf(block, 'content', 'title');
  return content === undefined ? undefined : html`<h2 dir="auto">${content}</h2>`;
};

export const quote: RenderBlock = (block, _site, { markdown }) => {
  const content = textOf(block, 'content');
  if (!content) return undefined;
  const cite = textOf(block, 'cite');
  return html`<figure class="quote">
    <blockquote>${markdown(content)}</blockquote>
    ${cite && html`<figcaption dir="auto">${cite}</figcaption>`}
  </figure>`;
};

export const code: RenderBlock = (block) => {
  const content = textOf(block, 'content');
  if (!content) return undefined;
  const title = textOf(block, 'title', 'language');
  return html`<figure class="code">
    ${title && html`<figcaption dir="auto">${title}</figcaption>`}
    <pre tabindex="0" dir="ltr"><code>${content}</code></pre>
  </figure>`;
};

/** Questions with their answers: items, or one of them in the block itself. */
export const faq: RenderBlock = (block, _site, { markdown }) => {
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
          <summary><span dir="auto">${question}</span>${icon('plus', 'tog')}</summary>
          <div class="text">${markdown(answer)}</div>
        </details>`,
    )}
  </div>`;
};

/** A public key or fingerprint, kept folded. */
export const key: RenderBlock = (block, _site, { locale }) => {
  const content = textOf(block, 'content');
  if (!content) return undefined;
  const kind = textOf(block, 'kind', 'title') ?? locale.words.publicKey;
  return html`<details class="key">
    <summary><span dir="auto">${kind}</span>${icon('plus', 'tog')}</summary>
    <pre tabindex="0" dir="ltr"><code>${content}</code></pre>
  </details>`;
};

export const divider: RenderBlock = () => html`<hr />`;

/** A block of an unknown kind. Shows its title, content and address only, because other fields may be private notes. */
export const other: RenderBlock = (block, _site, { links }) => {
  const title = textOf(block, 'title', 'name', 'label');
  const content = textOf(block, 'content');
  const target = webTarget(block['url']);
  if (!title && !content && !target) return undefined;
  const name = title ?? (target && !content ? shortAddress(target) : undefined);
  return html`<section class="card">
    ${
      name &&
      html`<h2 dir="auto">
        ${target ? html`<a ${links.to(target)}>${linkText(name, target)}</a>` : name}
      </h2>`
    }${content && html`<p dir="auto">${content}</p>`}${
      target && !name && html`<p><a dir="ltr" ${links.to(target)}>${shortAddress(target)}</a></p>`
    }
  </section>`;
};

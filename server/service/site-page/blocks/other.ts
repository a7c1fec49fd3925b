import { textOf } from '../fields.ts';
import { html } from '../html.ts';
import { linkText } from '../link-text.ts';
import { webTarget } from '../target.ts';
import type { RenderBlock } from './block.ts';
import { shortAddress } from './links.ts';

/** A block of a kind that pages do not know: of its free fields only what names it, the rest may be notes. */
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

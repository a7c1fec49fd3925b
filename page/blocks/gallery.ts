import { itemsOf, textOf } from '../fields/fields.ts';
import { type ImageSource, imageAttributes, pictureOf } from '../fields/picture.ts';
import { type Html, html } from '../html/html.ts';
import { renderIcon } from '../icons/icon.ts';
import type { PictureRows, RowTargets } from '../picture-rows.ts';
import type { RenderBlock } from './block.ts';

/** For external pictures, whose size is unknown. Same as `.unsized` in gallery.css. */
const DEFAULT_RATIO = 1.5;

const GALLERY_ROWS: RowTargets = { narrow: 2.6, wide: 3.4 };
/** From this number on, the first picture has a row of its own and may be cropped. */
const MIN_PICTURES_WITH_FIRST = 4;
/** Adjacent image blocks are stacked on narrow screens, and larger than gallery pictures on wide ones. */
const IMAGE_ROWS: RowTargets = { narrow: undefined, wide: 2.2 };

/**
 * The list is in a popover: when it opens, its pictures fill the window (see gallery.css). In the
 * editor's preview they do not open, because a click there selects the block.
 */
export const renderGallery: RenderBlock = (block, _site, { pictureRows, isFramed, locale }) => {
  const pictures = itemsOf(block, 'items').flatMap((item) => {
    const source = pictureOf(item['url']);
    return source ? [{ source, alt: textOf(item, 'alt'), caption: textOf(item, 'caption') }] : [];
  });
  if (pictures.length === 0) return undefined;
  const id = `v${pictureRows.listCount}`;
  const count = pictures.length;
  const first = count < MIN_PICTURES_WITH_FIRST ? [] : ['first'];
  const ratios = pictures.map(({ source: { size } }) =>
    size ? size.width / size.height : DEFAULT_RATIO,
  );
  const classes = [...first, ...pictureRows.add(ratios.slice(first.length), GALLERY_ROWS)];
  const positionOf = (index: number) => `${index + 1} / ${count}`;
  const stepTo = (index: number, text: string) =>
    html`<a href="#${id}-${index}" aria-label="${positionOf(index)}">${text}</a
      ><label for="${id}r${index}">${text}</label>`;
  const items = pictures.map(({ source, alt, caption }, index) => {
    const picture = renderPicture(source, alt);
    const name = !alt && html` aria-label="${caption ?? positionOf(index)}"`;
    const figure = html`<figure class="image">
      ${isFramed ? picture : html`<button class="zoom" popovertarget="${id}" ${name}>${picture}</button>`}
      ${caption && html`<figcaption dir="auto">${caption}</figcaption>`}
    </figure>`;
    if (isFramed) return html`<li class="${classes[index]}">${figure}</li>`;
    return html`<li class="${classes[index]}" id="${id}-${index}" tabindex="-1">
      ${figure}
      <div class="steps">
        <input
          type="radio"
          name="${id}"
          id="${id}r${index}"
          aria-label="${positionOf(index)}"
          autofocus
        />
        ${stepTo((index + count - 1) % count, '‹')} <bdi>${positionOf(index)}</bdi>
        ${stepTo((index + 1) % count, '›')}
      </div>
    </li>`;
  });
  if (isFramed)
    return html`<ul class="gallery">
      ${items}
    </ul>`;
  return html`<div class="viewer" id="${id}" popover>
    <ul class="gallery">
      ${items}
      <li class="close">
        <button popovertarget="${id}" popovertargetaction="hide" aria-label="${locale.t('Close')}">
          ${renderIcon('plus')}
        </button>
      </li>
    </ul>
  </div>`;
};

function renderPicture(source: ImageSource, alt: string | undefined): Html {
  return html`<img
    ${!source.size && html`class="unsized"`}
    ${imageAttributes(source, 'auto, 50vw')}
    alt="${alt ?? ''}"
    ${source.size && html`width="${source.size.width}" height="${source.size.height}"`}
    loading="lazy"
    decoding="async"
    referrerpolicy="no-referrer"
  />`;
}

export function renderImageRows(
  images: readonly { rendered: Html; ratio: number }[],
  pictureRows: PictureRows,
): Html {
  const classes = pictureRows.add(
    images.map(({ ratio }) => ratio),
    IMAGE_ROWS,
  );
  return html`<ul class="gallery">
    ${images.map(({ rendered }, index) => html`<li class="${classes[index]}">${rendered}</li>`)}
  </ul>`;
}

import { itemsOf, textOf } from '../fields.ts';
import { type Html, html } from '../html.ts';
import { imageAttributes, pictureOf } from '../picture.ts';
import type { PictureRows, RowTargets } from '../picture-rows.ts';
import type { RenderBlock } from './block.ts';

/** For external pictures, whose size is unknown. Same as `.unsized` in gallery.css. */
const DEFAULT_RATIO = 1.5;

const GALLERY_ROWS: RowTargets = { narrow: 1.75, wide: 4.1 };
/** Adjacent image blocks are stacked on narrow screens, and larger than gallery pictures on wide ones. */
const IMAGE_ROWS: RowTargets = { narrow: undefined, wide: 2.2 };

export const renderGallery: RenderBlock = (block, _site, { pictureRows }) => {
  const pictures = itemsOf(block, 'items').flatMap((item) => {
    const source = pictureOf(item['url']);
    return source ? [{ item, source }] : [];
  });
  if (pictures.length === 0) return undefined;
  const classes = pictureRows.add(
    pictures.map(({ source: { size } }) => (size ? size.width / size.height : DEFAULT_RATIO)),
    GALLERY_ROWS,
  );
  return html`<ul class="gallery">
    ${pictures.map(({ item, source }, index) => {
      const caption = textOf(item, 'caption');
      return html`<li class="${classes[index]}">
        <figure class="image">
          <img
            ${!source.size && html`class="unsized"`}
            ${imageAttributes(source, 'auto, 50vw')}
            alt="${textOf(item, 'alt') ?? ''}"
            ${source.size && html`width="${source.size.width}" height="${source.size.height}"`}
            loading="lazy"
            decoding="async"
            referrerpolicy="no-referrer"
          />${caption && html`<figcaption dir="auto">${caption}</figcaption>`}
        </figure>
      </li>`;
    })}
  </ul>`;
};

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

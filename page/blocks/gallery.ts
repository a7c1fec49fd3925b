import { itemsOf, textOf } from '../fields.ts';
import { type Html, html } from '../html.ts';
import { renderIcon } from '../icons/icon.ts';
import { type ImageSource, imageAttributes, pictureOf } from '../picture.ts';
import type { PictureRows, RowTargets } from '../picture-rows.ts';
import type { RenderBlock } from './block.ts';

/** For external pictures, whose size is unknown. Same as `.unsized` in gallery.css. */
const DEFAULT_RATIO = 1.5;

const GALLERY_ROWS: RowTargets = { narrow: 2.2, wide: 4.1 };
/** Adjacent image blocks are stacked on narrow screens, and larger than gallery pictures on wide ones. */
const IMAGE_ROWS: RowTargets = { narrow: undefined, wide: 2.2 };

/** In the editor's preview, pictures are no links, because links open a new tab there. */
export const renderGallery: RenderBlock = (block, _site, context) => {
  const pictures = itemsOf(block, 'items').flatMap((item) => {
    const source = pictureOf(item['url']);
    return source ? [{ source, alt: textOf(item, 'alt'), caption: textOf(item, 'caption') }] : [];
  });
  if (pictures.length === 0) return undefined;
  const { pictureRows, viewers, isFramed, locale } = context;
  const classes = pictureRows.add(
    pictures.map(({ source: { size } }) => (size ? size.width / size.height : DEFAULT_RATIO)),
    GALLERY_ROWS,
  );
  const id = viewers.length;
  const positionOf = (index: number) => `${index + 1} / ${pictures.length}`;
  if (!isFramed)
    viewers.push(
      html`<div class="viewer">
        ${pictures.map(
          ({ source, alt, caption }, index) =>
            html`<figure id="v${id}-${index}" tabindex="-1">
              ${renderPicture(source, alt, '100vw')}
              <figcaption>
                ${caption && html`<span dir="auto">${caption}</span>`}
                <bdi>${positionOf(index)}</bdi>
              </figcaption>
              <a href="#p${id}-${index}" aria-label="${locale.t('Close')}">${renderIcon('plus')}</a>
            </figure>`,
        )}
      </div>`,
    );
  return html`<ul class="gallery">
    ${pictures.map(({ source, alt, caption }, index) => {
      const picture = renderPicture(source, alt, 'auto, 50vw');
      const name = !alt && html` aria-label="${caption ?? positionOf(index)}"`;
      return html`<li class="${classes[index]}">
        <figure class="image">
          ${
            isFramed
              ? picture
              : html`<a class="zoom" id="p${id}-${index}" href="#v${id}-${index}" ${name}
                  >${picture}</a
                >`
          }${caption && html`<figcaption dir="auto">${caption}</figcaption>`}
        </figure>
      </li>`;
    })}
  </ul>`;
};

function renderPicture(source: ImageSource, alt: string | undefined, sizes: string): Html {
  return html`<img
    ${!source.size && html`class="unsized"`}
    ${imageAttributes(source, sizes)}
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

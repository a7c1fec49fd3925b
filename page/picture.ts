import {
  type StoredPicture,
  PICTURE_SIZES,
  parseStoredPicture,
  picturePath,
  widthAtSize,
} from '#contract/pictures.ts';
import { type Html, html } from './html.ts';
import { safePictureUrl } from './safe-url.ts';

/** A picture as an `img` shows it. */
export interface ImageSource {
  src: string;
  /** Files of several widths; undefined for pictures at other hosts. */
  srcset: string | undefined;
  /** Width and height in pixels; undefined for pictures at other hosts. */
  size: { width: number; height: number } | undefined;
}

/**
 * The picture at an address, if it is one that a page may load. A picture that the service stores is
 * loaded from the host of the page, in the width that fits.
 */
export function pictureOf(address: unknown): ImageSource | undefined {
  const own = parseStoredPicture(address);
  if (own)
    return {
      src: picturePath(own.id),
      srcset: srcsetOf(own),
      size: { width: own.width, height: own.height },
    };
  const src = safePictureUrl(address);
  return src === undefined ? undefined : { src, srcset: undefined, size: undefined };
}

/** The attributes by which an `img` loads a picture; `sizes` is the width at which it is shown. */
export function imageAttributes({ src, srcset }: ImageSource, sizes: string): Html {
  return srcset === undefined
    ? html`src="${src}"`
    : html`src="${src}" srcset="${srcset}" sizes="${sizes}"`;
}

/** The files of a picture up to the first that has its full width. */
function srcsetOf(picture: StoredPicture): string {
  const full = PICTURE_SIZES.findIndex((size) => widthAtSize(picture, size) === picture.width);
  return PICTURE_SIZES.slice(0, full + 1)
    .map((size) => `${picturePath(picture.id, size)} ${widthAtSize(picture, size)}w`)
    .join(', ');
}

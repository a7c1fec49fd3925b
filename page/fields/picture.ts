import {
  type StoredPicture,
  PICTURE_SIZES,
  parseStoredPicture,
  picturePath,
  widthAtSize,
} from '#contract/shared/pictures.ts';
import { type Html, html } from '../html/html.ts';
import { safePictureUrl } from '../html/safe-url.ts';

export interface ImageSource {
  src: string;
  /** Undefined for external pictures. */
  srcset: string | undefined;
  /** In pixels. Undefined for external pictures. */
  size: { width: number; height: number } | undefined;
}

/**
 * Returns undefined if a page may not load the picture. Pictures stored by the service are loaded
 * from the host of the page.
 */
export function pictureOf(address: unknown): ImageSource | undefined {
  const stored = parseStoredPicture(address);
  if (stored)
    return {
      src: picturePath(stored.id),
      srcset: srcsetOf(stored),
      size: { width: stored.width, height: stored.height },
    };
  const src = safePictureUrl(address);
  return src === undefined ? undefined : { src, srcset: undefined, size: undefined };
}

/** `sizes` is the displayed width, as in HTML. */
export function imageAttributes({ src, srcset }: ImageSource, sizes: string): Html {
  return srcset === undefined
    ? html`src="${src}"`
    : html`src="${src}" srcset="${srcset}" sizes="${sizes}"`;
}

/** Lists the sizes up to the first one with the full width. */
function srcsetOf(picture: StoredPicture): string {
  const fullWidthIndex = PICTURE_SIZES.findIndex(
    (size) => widthAtSize(picture, size) === picture.width,
  );
  return PICTURE_SIZES.slice(0, fullWidthIndex + 1)
    .map((size) => `${picturePath(picture.id, size)} ${widthAtSize(picture, size)}w`)
    .join(', ');
}

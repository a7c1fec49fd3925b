/** The sizes of a stored picture in pixels: the longest side, and the width of the largest. */
export const PICTURE_SIZES = [96, 512, 1200] as const;
export type PictureSize = (typeof PICTURE_SIZES)[number];

/** Media types accepted for uploads. */
export const PICTURE_MEDIA_TYPES = [
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/gif',
  'image/avif',
  'application/octet-stream',
] as const;

/** For file inputs. With `image/*`, iPhones do not convert HEIC. */
export const PICTURE_ACCEPT = 'image/jpeg,image/png,image/webp,image/gif,image/avif';

/** A picture id: 22 random characters, then the width and height of the largest size. */
export const PICTURE_ID_PATTERN = /^(?:\w|-){22}-[1-9]\d{0,3}x[1-9]\d{0,3}$/;

const PICTURE_PATH_PATTERN =
  /^\/pictures\/(?<id>[\w-]{22}-(?<width>[1-9]\d{0,3})x(?<height>[1-9]\d{0,3}))\/(?:96|512|1200)\.webp$/;

export interface StoredPicture {
  id: string;
  width: number;
  height: number;
}

export function picturePath(id: string, size: PictureSize = 1200): string {
  return `/pictures/${id}/${size}.webp`;
}

/**
 * Parses the URL of a stored picture. Accepts any host, because stored URLs must still work after
 * the server moves to another domain.
 */
export function parseStoredPicture(url: unknown): StoredPicture | undefined {
  if (typeof url !== 'string' || !url.includes('/pictures/')) return undefined;
  const { id, width, height } =
    PICTURE_PATH_PATTERN.exec(URL.parse(url)?.pathname ?? '')?.groups ?? {};
  return id === undefined ? undefined : { id, width: Number(width), height: Number(height) };
}

export function widthAtSize({ width, height }: StoredPicture, size: PictureSize): number {
  const longestSide = Math.max(width, height);
  return size === 1200 || longestSide <= size
    ? width
    : Math.max(1, Math.round((width * size) / longestSide));
}

/** Pages and the dashboard load pictures over https only. */
export function toHttps(pictureUrl: string): string {
  return pictureUrl.replace(/^http:/i, 'https:');
}

/**
 * Where the dashboard loads a picture. Its own host serves uploaded pictures even if the page is
 * hidden or the server has no https.
 */
export function pictureSource(url: string, size: PictureSize): string {
  const uploaded = parseStoredPicture(url);
  return uploaded ? picturePath(uploaded.id, size) : toHttps(url);
}

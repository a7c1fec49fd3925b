/** Longest sides of the sizes in which a picture is stored, in pixels. */
export const PICTURE_SIZES = [96, 512, 1200] as const;
export type PictureSize = (typeof PICTURE_SIZES)[number];

/** Media types of the files that become pictures. */
export const PICTURE_MEDIA_TYPES = [
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/gif',
  'image/avif',
  'application/octet-stream',
] as const;

/** The id of a picture: random characters, and its width and height at the largest size. */
export const PICTURE_ID_PATTERN = /^(?:\w|-){22}-[1-9]\d{0,3}x[1-9]\d{0,3}$/;

const OWN_PATH =
  /^\/pictures\/(?<id>[\w-]{22}-(?<width>[1-9]\d{0,3})x(?<height>[1-9]\d{0,3}))\/(?:96|512|1200)\.webp$/;

/** A picture that the service stores. */
export interface StoredPicture {
  id: string;
  width: number;
  height: number;
}

/** The path of a picture in one of its sizes. */
export function picturePath(id: string, size: PictureSize = 1200): string {
  return `/pictures/${id}/${size}.webp`;
}

/**
 * The stored picture that an address means, at whatever host: the address stays good if the service
 * moves. Undefined for the address of anything else.
 */
export function parseStoredPicture(address: unknown): StoredPicture | undefined {
  if (typeof address !== 'string' || !address.includes('/pictures/')) return undefined;
  const { id, width, height } = OWN_PATH.exec(URL.parse(address)?.pathname ?? '')?.groups ?? {};
  return id === undefined ? undefined : { id, width: Number(width), height: Number(height) };
}

/** The width of a picture at one of its sizes. */
export function widthAtSize({ width, height }: StoredPicture, size: PictureSize): number {
  const longest = Math.max(width, height);
  return longest <= size ? width : Math.max(1, Math.round((width * size) / longest));
}

import { APIError } from '../../../client/src/errors.ts';
import { parseStoredPicture, picturePath } from '#contract/pictures.ts';
import { owner } from '#dashboard/api/api.ts';
import { sentenceOf } from '#dashboard/api/sentence-of.ts';
import { withScheme } from './web-address.ts';

/** Side in pixels to which a larger picture is scaled before it is cut: enough for a fourfold zoom. */
const MAX_SIDE_PX = 4_096;
const WEBP_QUALITY = 0.92;

const UNSUPPORTED_FILE = 'This file cannot be used. Choose a JPEG, PNG, WebP, GIF or AVIF picture.';
/** Sentences for refusals of a file, by their names. */
const MESSAGES_BY_CODE: Readonly<Record<string, string>> = {
  pictureTypeUnsupported: UNSUPPORTED_FILE,
  pictureEmpty: UNSUPPORTED_FILE,
  pictureDamaged: 'This file is damaged or incomplete. Choose another one.',
};

/** Where the dashboard loads a picture: one that is stored here from its own host, also while the page is hidden. */
export function pictureSrc(address: string): string {
  const own = parseStoredPicture(address);
  return own ? picturePath(own.id, 512) : withScheme(address);
}

/** Decodes a file; undefined if the browser cannot. */
export async function decodePicture(file: Blob): Promise<ImageBitmap | undefined> {
  try {
    const whole = await createImageBitmap(file);
    const longest = Math.max(whole.width, whole.height);
    if (longest <= MAX_SIDE_PX) return whole;
    const scaled = await createImageBitmap(whole, {
      resizeWidth: Math.round((whole.width * MAX_SIDE_PX) / longest),
      resizeHeight: Math.round((whole.height * MAX_SIDE_PX) / longest),
      resizeQuality: 'high',
    });
    whole.close();
    return scaled;
  } catch {
    return undefined;
  }
}

/** The file of what is on a canvas. */
export function canvasToBlob(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error('The canvas has no picture.'))),
      'image/webp',
      WEBP_QUALITY,
    );
  });
}

/** Uploads a file and gives the address of the picture that was made of it. */
export async function uploadPicture(file: Blob): Promise<string> {
  const { picture } = await owner.pictures.upload(await file.arrayBuffer());
  return picture.url;
}

/** Sentence for a file that was refused. */
export function fileErrorMessage(error: unknown): string {
  const code = error instanceof APIError ? error.code : undefined;
  return MESSAGES_BY_CODE[code ?? ''] ?? sentenceOf(error);
}

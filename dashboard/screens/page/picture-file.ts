import { useSignal } from '@preact/signals';
import { APIConnectionError, APIError, NameplateError } from '#client/errors.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import { pictureSource } from '#contract/shared/pictures.ts';
import { owner } from '#dashboard/api/api.ts';
import { errorMessage } from '#dashboard/api/error-message.ts';
import { t } from '#dashboard/translate.ts';
import { type Size, uploadSize } from './crop.ts';
import { withScheme } from './web-address.ts';

/** Larger pictures are scaled down to this before cropping. A fourfold zoom leaves 1,024 pixels. */
const MAX_WIDTH_PX = 4_096;
const WEBP_QUALITY = 0.92;

const UNSUPPORTED_FILE = t(
  'This file cannot be used. Choose a JPEG, PNG, WebP, GIF or AVIF picture.',
);
const HEIC_FILE = t(
  'This is a HEIC photo, which browsers cannot show. Save it as JPEG first, or set the camera to “Most Compatible”.',
);
const DAMAGED_FILE = t('The picture is damaged or incomplete.');
/** For files that are pictures by their name. */
const DAMAGED_CODES = new Set(['pictureTypeUnsupported', 'pictureEmpty']);

const ACCEPTED_TYPE = /^image\/(?:jpeg|png|webp|gif|avif)$/;
const TOO_LARGE = t('The picture is larger than 10 MiB. Make it smaller first.');
/** The other codes that begin with "picture" are about the file. */
const LIMIT_CODES = new Set(['pictureStorageFull', 'pictureLimitReached']);

export function pictureSrc(address: string): string {
  return pictureSource(withScheme(address), 512);
}

export async function decodePicture(file: Blob): Promise<ImageBitmap | undefined> {
  try {
    const original = await createImageBitmap(file);
    const { width, height } = original;
    const scale = Math.min(MAX_WIDTH_PX / width, LIMITS.pictureHeight / height);
    if (scale >= 1) return original;
    const scaled = await createImageBitmap(original, {
      resizeWidth: Math.max(1, Math.round(width * scale)),
      resizeHeight: Math.max(1, Math.round(height * scale)),
      resizeQuality: 'high',
    });
    original.close();
    return scaled;
  } catch {
    return undefined;
  }
}

/** Draws an area of a picture as it is uploaded. */
export function drawPicture(
  canvas: HTMLCanvasElement,
  bitmap: ImageBitmap,
  { left = 0, top = 0, width, height }: Size & { left?: number; top?: number },
): void {
  const size = uploadSize({ width, height });
  Object.assign(canvas, size);
  const context = canvas.getContext('2d')!;
  context.imageSmoothingQuality = 'high';
  context.drawImage(bitmap, left, top, width, height, 0, 0, size.width, size.height);
}

export function canvasToBlob(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error('The canvas has no picture.'))),
      'image/webp',
      WEBP_QUALITY,
    );
  });
}

const pendingUploads = new Set<Promise<void>>();

const askBeforeLeaving = (event: Event) => event.preventDefault();

/** `onUploaded` runs before a save that waits for the upload. */
export function uploadPicture(file: Blob, onUploaded: (address: string) => void): Promise<void> {
  return trackUpload(sendFile(file).then(onUploaded));
}

async function sendFile(file: Blob): Promise<string> {
  if (/^image\/hei[cf]/.test(file.type)) throw new NameplateError(HEIC_FILE);
  if (!ACCEPTED_TYPE.test(file.type)) throw new NameplateError(UNSUPPORTED_FILE);
  if (file.size > LIMITS.pictureBytes) throw new NameplateError(TOO_LARGE);
  const { picture } = await owner.pictures.uploadPicture(await file.arrayBuffer());
  return picture.url;
}

/** Uploads a whole picture, scaled down if the browser can decode it. */
async function sendPicture(file: File): Promise<string> {
  const bitmap = await decodePicture(file);
  if (bitmap) {
    const canvas = document.createElement('canvas');
    drawPicture(canvas, bitmap, bitmap);
    bitmap.close();
    return sendFile(await canvasToBlob(canvas));
  }
  return sendFile(file);
}

/** Makes every save wait for an upload. */
async function trackUpload(upload: Promise<void>): Promise<void> {
  pendingUploads.add(upload);
  addEventListener('beforeunload', askBeforeLeaving);
  try {
    await upload;
  } finally {
    pendingUploads.delete(upload);
    if (pendingUploads.size === 0) removeEventListener('beforeunload', askBeforeLeaving);
  }
}

/** Every save waits for this. Rejects if an upload fails, so nothing is saved without its picture. */
export async function waitForUploads(): Promise<void> {
  await Promise.all(pendingUploads);
}

function explainUploadError(error: unknown): { problem: string; isFinal: boolean } {
  const code = (error instanceof APIError && error.code) || '';
  const isAnswer = error instanceof APIError || error instanceof APIConnectionError;
  return {
    problem: DAMAGED_CODES.has(code) ? DAMAGED_FILE : errorMessage(error),
    isFinal: !isAnswer || (code.startsWith('picture') && !LIMIT_CODES.has(code)),
  };
}

export const PICTURE_UPLOADS = {
  send: sendPicture,
  explain: explainUploadError,
  track: trackUpload,
};

/** One upload at a time, and the reason why the last one failed. */
export function useUpload() {
  const isBusy = useSignal(false);
  const problem = useSignal<string>();
  const run = async (upload: () => Promise<void>) => {
    if (isBusy.peek()) return;
    isBusy.value = true;
    problem.value = undefined;
    try {
      await upload();
    } catch (error) {
      problem.value = explainUploadError(error).problem;
    } finally {
      isBusy.value = false;
    }
  };
  return { isBusy: isBusy.value, problem: problem.value, run };
}

import { useSignal } from '@preact/signals';
import { APIError } from '../../../client/src/errors.ts';
import { pictureSource } from '#contract/shared/pictures.ts';
import { owner } from '#dashboard/api/api.ts';
import { errorMessage } from '#dashboard/api/error-message.ts';
import { t } from '#dashboard/translate.ts';
import { withScheme } from './web-address.ts';

/** Larger pictures are scaled down to this before cropping. A fourfold zoom leaves 1,024 pixels. */
const MAX_SIDE_PX = 4_096;
const WEBP_QUALITY = 0.92;

const UNSUPPORTED_FILE = t(
  'This file cannot be used. Choose a JPEG, PNG, WebP, GIF or AVIF picture.',
);
const MESSAGES_BY_CODE: Readonly<Record<string, string>> = {
  pictureTypeUnsupported: UNSUPPORTED_FILE,
  pictureEmpty: UNSUPPORTED_FILE,
  pictureDamaged: t('This file is damaged or incomplete. Choose another one.'),
};

export function pictureSrc(address: string): string {
  return pictureSource(withScheme(address), 512);
}

export async function decodePicture(file: Blob): Promise<ImageBitmap | undefined> {
  try {
    const original = await createImageBitmap(file);
    const longest = Math.max(original.width, original.height);
    if (longest <= MAX_SIDE_PX) return original;
    const scaled = await createImageBitmap(original, {
      resizeWidth: Math.round((original.width * MAX_SIDE_PX) / longest),
      resizeHeight: Math.round((original.height * MAX_SIDE_PX) / longest),
      resizeQuality: 'high',
    });
    original.close();
    return scaled;
  } catch {
    return undefined;
  }
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

/** `onUploaded` runs before a save that waits for the upload. */
export async function uploadPicture(
  file: Blob,
  onUploaded: (address: string) => void,
): Promise<void> {
  const upload = file
    .arrayBuffer()
    .then((bytes) => owner.pictures.uploadPicture(bytes))
    .then(({ picture }) => onUploaded(picture.url));
  pendingUploads.add(upload);
  try {
    await upload;
  } finally {
    pendingUploads.delete(upload);
  }
}

/** Every save waits for this. Rejects if an upload fails, so nothing is saved without its picture. */
export async function waitForUploads(): Promise<void> {
  await Promise.all(pendingUploads);
}

function fileErrorMessage(error: unknown): string {
  const code = error instanceof APIError ? error.code : undefined;
  return MESSAGES_BY_CODE[code ?? ''] ?? errorMessage(error);
}

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
      problem.value = fileErrorMessage(error);
    } finally {
      isBusy.value = false;
    }
  };
  return { isBusy: isBusy.value, problem: problem.value, run };
}

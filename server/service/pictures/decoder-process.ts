/** Program of the process that decodes pictures: it gets one file at a time from the server. */
import { constants, setPriority } from 'node:os';
import sharp from 'sharp';
import { LIMITS } from '../../../contract/limits.ts';
import { PICTURE_SIZES } from '../../../contract/pictures.ts';
import type { DecodedPicture, DecoderAnswer } from './decoded-picture.ts';

// Requests come first.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
sharp.concurrency(1);
sharp.cache(false);
// No other decoder ever sees a file, such as those for SVG, PDF and TIFF.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map((name) => `VipsForeignLoad${name}Buffer`),
});

process.on('message', (file: Uint8Array) => {
  void answer(file).then((said) => process.send?.(said));
});

/** The container of HEIC, which is that of AVIF, with a brand of its own. */
const HEIC = /^.{4}ftyphe/s;

async function answer(file: Uint8Array): Promise<DecoderAnswer> {
  // No library of ours decodes it: its patents do not allow that.
  if (HEIC.test(Buffer.from(file.subarray(0, 12)).toString('latin1')))
    return { refusal: 'pictureTypeUnsupported' };
  try {
    const { format, compression, width, height } = await sharp(file, OPTIONS).metadata();
    if (format === 'heif' && compression !== 'av1') return { refusal: 'pictureTypeUnsupported' };
    if (width * height > LIMITS.picturePixels) return { refusal: 'pictureHasTooManyPixels' };
    return { picture: await decode(file) };
  } catch (error) {
    const { message, stack = message } = error as Error;
    if (/unsupported image format/.test(message)) return { refusal: 'pictureTypeUnsupported' };
    if (/pixel limit/.test(message)) return { refusal: 'pictureHasTooManyPixels' };
    // libvips names the operation that could not read the file.
    const isAboutFile = /^(?:Vips|Input |\w+load|webp|heif|gif|png|jpeg)/i.test(message);
    return isAboutFile ? { refusal: 'pictureDamaged' } : { failure: stack };
  }
}

const OPTIONS = { limitInputPixels: LIMITS.picturePixels, failOn: 'truncated' } as const;

/** The picture upright, in sRGB and without metadata: sharp leaves that out unless it is told otherwise. */
async function decode(file: Uint8Array): Promise<DecodedPicture> {
  const { data, info } = await sharp(file, OPTIONS)
    .autoOrient()
    .resize(inside(LIMITS.pictureSide))
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const files = {} as DecodedPicture['files'];
  for (const size of PICTURE_SIZES)
    files[size] = await sharp(data, { raw: { width, height, channels } })
      .resize(inside(size))
      .webp({ quality: 82, effort: 3 })
      .toBuffer();
  return { width, height, files };
}

function inside(size: number) {
  return { width: size, height: size, fit: 'inside', withoutEnlargement: true } as const;
}

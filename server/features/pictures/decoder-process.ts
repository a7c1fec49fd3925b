import { writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import sharp, { type Metadata } from 'sharp';
import { LIMITS } from '#contract/shared/limits.ts';
import { PICTURE_SIZES } from '#contract/shared/pictures.ts';
import type { DecodedPicture, DecoderResult } from './decoded-picture.ts';

/**
 * The process kills itself above these limits. A file may need more memory or CPU time than its
 * size in pixels suggests.
 */
const MAX_RSS_BYTES = 400_000_000;
/** A photo usually takes less than one second. */
const MAX_CPU_SECONDS = 10;
const CHECK_INTERVAL_MS = 20;

const MAX_PIXELS = 40_000_000;
/** Decoding takes up to 24 bytes per pixel. */
const MAX_AVIF_PIXELS = 16_000_000;
/** In pixels. */
const MAX_SIDE = 20_000;
const MAX_DECODED_BYTES = 160_000_000;

// Serving HTTP requests has priority.
ignoreErrors(() => setPriority(constants.priority.PRIORITY_BELOW_NORMAL));
// Makes Linux's OOM killer choose this process before the server.
ignoreErrors(() => writeFileSync('/proc/self/oom_score_adj', '1000'));
sharp.concurrency(1);
sharp.cache(false);
// Disables all other decoders, such as those for SVG, PDF and TIFF, to reduce the attack surface.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map((name) => `VipsForeignLoad${name}Buffer`),
});

process.on('message', (file: Uint8Array) => {
  const before = process.cpuUsage();
  // A limit on address space would not work, because V8 reserves gigabytes that it never uses.
  const watch = setInterval(() => {
    const { user, system } = process.cpuUsage(before);
    const isCpuSpent = (user + system) / 1_000_000 > MAX_CPU_SECONDS;
    if (isCpuSpent || process.memoryUsage.rss() > MAX_RSS_BYTES)
      process.kill(process.pid, 'SIGKILL');
  }, CHECK_INTERVAL_MS);
  void decodeFile(file)
    .finally(() => clearInterval(watch))
    .then((result) => process.send?.(result));
});

/** HEIC uses the same container as AVIF, with another brand. */
const HEIC = /^.{4}ftyphe/s;

async function decodeFile(file: Uint8Array): Promise<DecoderResult> {
  // Because of patents, the bundled libraries do not decode HEIC.
  if (HEIC.test(Buffer.from(file.subarray(0, 12)).toString('latin1')))
    return { refusal: 'pictureIsHeic' };
  let decoded: Awaited<ReturnType<typeof decode>>;
  try {
    const metadata = await sharp(file, SHARP_OPTIONS).metadata();
    if (metadata.format === 'heif' && metadata.compression !== 'av1')
      return { refusal: 'pictureIsHeic' };
    const refusal = findSizeRefusal(metadata);
    if (refusal) return { refusal };
    decoded = await decode(file).catch((error: unknown) => decodeWithoutEnd(file, error));
  } catch (error) {
    const { message } = error as Error;
    if (/unsupported image format/.test(message)) return { refusal: 'pictureTypeUnsupported' };
    if (/pixel limit/.test(message)) return { refusal: 'pictureHasTooManyPixels' };
    return { refusal: 'pictureDamaged' };
  }
  try {
    return { picture: await encode(decoded) };
  } catch (error) {
    return { failure: (error as Error).stack ?? String(error) };
  }
}

const SHARP_OPTIONS = { limitInputPixels: MAX_PIXELS, failOn: 'truncated' } as const;

/** Larger pictures would take too much memory. */
function findSizeRefusal({ format, width, height, channels, depth }: Metadata) {
  const pixels = width * height;
  const limit = format === 'heif' ? MAX_AVIF_PIXELS : MAX_PIXELS;
  if (pixels > limit || Math.max(width, height) > MAX_SIDE) return 'pictureHasTooManyPixels';
  const bytes = pixels * channels * (depth === 'uchar' ? 1 : 2);
  return bytes > MAX_DECODED_BYTES ? 'pictureTooComplex' : undefined;
}

/**
 * Decodes to upright sRGB pixels, no larger than the largest stored size. Metadata is dropped,
 * because sharp does so by default.
 */
function decode(file: Uint8Array, failOn: 'truncated' | 'warning' = SHARP_OPTIONS.failOn) {
  return sharp(file, { ...SHARP_OPTIONS, failOn })
    .autoOrient()
    .resize(fitInside(LIMITS.pictureWidth, LIMITS.pictureHeight))
    .raw()
    .toBuffer({ resolveWithObject: true });
}

const JPEG_START = [0xff, 0xd8];
const JPEG_END = Buffer.from([0xff, 0xd9]);

/** Some cameras leave out the end marker. If more is missing, the decoder warns. */
function decodeWithoutEnd(file: Uint8Array, error: unknown) {
  if (!JPEG_START.every((byte, index) => file[index] === byte)) throw error;
  return decode(Buffer.concat([file, JPEG_END]), 'warning');
}

async function encode({ data, info }: Awaited<ReturnType<typeof decode>>): Promise<DecodedPicture> {
  const { width, height, channels } = info;
  const files = {} as DecodedPicture['files'];
  for (const size of PICTURE_SIZES)
    files[size] = await sharp(data, { raw: { width, height, channels } })
      // The pixels already have the largest size.
      .resize(size === 1200 ? {} : fitInside(size))
      .webp({ quality: 82, effort: 3 })
      .toBuffer();
  return { width, height, files };
}

function fitInside(width: number, height = width) {
  return { width, height, fit: 'inside', withoutEnlargement: true } as const;
}

function ignoreErrors(action: () => void): void {
  try {
    action();
  } catch {}
}

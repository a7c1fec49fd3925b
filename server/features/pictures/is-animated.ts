/** The control block before each frame of a GIF. */
// oxlint-disable-next-line no-control-regex -- The bytes of the format.
const GIF_FRAMES = /!\xf9\x04[^]{4}\0[,!]/g;

/** Whether a GIF, WebP, PNG or AVIF file declares an animation. */
export function isAnimated(file: Buffer): boolean {
  const head = file.toString('latin1', 0, 16);
  if (head.startsWith('GIF8')) return file.toString('latin1').match(GIF_FRAMES)?.[1] !== undefined;
  if (head.endsWith('WEBPVP8X')) return (file[20]! & 2) !== 0;
  return head.startsWith('\x89PNG') ? file.includes('acTL') : head.includes('ftypavis');
}

import { hash } from 'node:crypto';

/** Contains the hash of the file, so that its URL can be cached forever. */
export function createLogoId(
  file: Buffer,
  { width, height }: { width: number; height: number },
): string {
  return `${hash('sha256', file, 'base64url').slice(0, 22)}-${width}x${height}`;
}

import { hash } from 'node:crypto';
import { logoPath } from '#contract/shared/instance.ts';
import { parseStoredPicture } from '#contract/shared/pictures.ts';
import type { Transaction } from '#db/connections/handles.ts';
import { findPictureFile } from '#db/queries/pictures.ts';
import { COMMAND_LINE_ID } from '#server/platform/caller.ts';

/** A picture that the server keeps without its owner. */
export interface PictureCopy {
  id: string | null;
  file: Buffer | null;
}

/**
 * Copies an uploaded picture, so that it does not depend on the operator's account. Returns `same` for
 * the URL of the present copy, and undefined if the account has no such picture.
 */
export async function copyPicture(
  trx: Transaction,
  {
    accountId,
    url,
    currentId,
    size,
  }: { accountId: string; url: string | null; currentId: string | null; size: 512 | 1200 },
): Promise<PictureCopy | 'same' | undefined> {
  if (url === null) return { id: null, file: null };
  if (currentId && URL.parse(url)?.pathname === logoPath(currentId)) return 'same';
  const picture = parseStoredPicture(url);
  const owner = accountId === COMMAND_LINE_ID ? undefined : accountId;
  const file = picture && (await findPictureFile(trx, { accountId: owner, id: picture.id, size }));
  return file && { id: createCopyId(file, picture), file };
}

/** Contains the hash of the file, so that its URL can be cached forever. */
function createCopyId(file: Buffer, { width, height }: { width: number; height: number }): string {
  return `${hash('sha256', file, 'base64url').slice(0, 22)}-${width}x${height}`;
}

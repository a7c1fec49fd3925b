import { hash, randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import { LIMITS } from '../../../contract/limits.ts';
import { PICTURE_ALLOWANCE, PICTURE_FILE } from '../../../contract/owner/pictures.ts';
import { inTransaction } from '../../../db/connections/transaction.ts';
import { lockAccount } from '../../../db/queries/accounts.ts';
import {
  type PictureRow,
  insertPicture,
  sumPictures,
  usePicture,
} from '../../../db/queries/pictures.ts';
import type { Database } from '../../../db/schema.ts';
import { refuserOf } from '../refusal.ts';
import { decodePicture } from './decode-picture.ts';

const refuse = refuserOf({ ...PICTURE_FILE, ...PICTURE_ALLOWANCE });

/** Random bytes of an id, so that nobody guesses the address of a picture. */
const ID_BYTES = 16;
const MEGABYTE = 1_000_000;

/**
 * Makes a picture of a file and stores it for an account, whose pictures take at most `limit` bytes; 0 is
 * any amount. A file that was stored before gives the picture that was made of it.
 */
export async function storePicture(
  db: Kysely<Database>,
  { accountId, file }: { accountId: string; file: Buffer },
  limit: number,
): Promise<PictureRow> {
  if (file.length === 0) throw refuse('pictureEmpty');
  const fileHash = hash('sha256', file, 'buffer');
  const known = await usePicture(db, accountId, fileHash);
  if (known) return known;
  const { width, height, files } = await decodePicture(accountId, file);
  const id = `${randomBytes(ID_BYTES).toString('base64url')}-${width}x${height}`;
  return inTransaction(db, async (trx) => {
    // Others that are stored at the same time are counted, too.
    await lockAccount(trx, accountId);
    const picture = await insertPicture(trx, accountId, { id, fileHash, files });
    const { count, bytes } = await sumPictures(trx, accountId);
    if (limit > 0 && bytes > limit) throw refuse('pictureStorageFull', { limit: limit / MEGABYTE });
    if (count > LIMITS.pictures) throw refuse('pictureLimitReached');
    return picture;
  });
}

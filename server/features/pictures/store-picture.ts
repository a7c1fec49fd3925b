import { hash, randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { PICTURE_LIMIT_REFUSALS, PICTURE_FILE_REFUSALS } from '#contract/owner/pictures.ts';
import { HOUR_MS } from '#contract/shared/durations.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import type { Database, Transaction } from '#db/connections/handles.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import { lockAccount } from '#db/queries/accounts.ts';
import {
  type PictureRow,
  insertPicture,
  getPictureTotals,
  findUploadedPicture,
} from '#db/queries/pictures.ts';
import {
  type Allowances,
  effectivePictureLimit,
  MEGABYTE,
} from '#server/platform/limits/allowances/allowances.ts';
import { retryAfter } from '#server/platform/limits/allowances/retry-after.ts';
import { HourlyCounter } from '#server/platform/limits/hourly-counter.ts';
import { RefusalError, createRefuser } from '#server/platform/refusal.ts';
import { decodePicture } from './decode-picture.ts';
import type { DecodedPicture } from './decoded-picture.ts';

const refuse = createRefuser({ ...PICTURE_FILE_REFUSALS, ...PICTURE_LIMIT_REFUSALS });

/** Makes the URLs of pictures impossible to guess. */
const ID_BYTES = 16;
/** A refused file counts as this many uploads, because decoding it may have taken seconds. */
const REFUSED_FILE_COST = 5;

const uploads = new HourlyCounter();
/**
 * Codes of refusals by file hash; the errors would keep their files in memory. They are kept only
 * for an hour, because a valid file may time out on a busy machine.
 */
const refusals = new LRUCache<string, keyof typeof PICTURE_FILE_REFUSALS>({
  max: 1_000,
  ttl: HOUR_MS,
});

interface PictureUpload {
  accountId: string;
  file: Buffer;
  /** Refuses if who uploads it may no longer. */
  recheck?: (trx: Transaction) => Promise<void>;
}
type PictureLimits = Pick<Allowances, 'pictureByteLimit' | 'uploadsPerHour'>;

/** Returns the existing picture if the account uploaded the same file before. */
export async function storePicture(
  db: Database,
  { accountId, file, recheck }: PictureUpload,
  limits: PictureLimits,
): Promise<PictureRow> {
  const existing = await findUploadedPicture(db, accountId, hashFile(file));
  if (existing) return existing;
  const upload = await decodeUpload({ accountId, file }, limits);
  return inTransaction(db, async (trx) => {
    const picture = await insertUpload(trx, upload, limits);
    await recheck?.(trx);
    return picture;
  });
}

interface DecodedUpload extends DecodedPicture {
  accountId: string;
  fileHash: Buffer;
}

async function decodeUpload(
  { accountId, file }: PictureUpload,
  { uploadsPerHour }: PictureLimits,
): Promise<DecodedUpload> {
  if (file.length === 0) throw refuse('pictureEmpty');
  const waitMs = uploads.addWithin(uploadsPerHour || Infinity, accountId);
  if (waitMs !== undefined) throw refuse('uploadRateLimited', retryAfter(waitMs));
  const fileHash = hashFile(file);
  return {
    accountId,
    fileHash,
    ...(await decodeUnlessRefused(accountId, file, fileHash.toString('base64'))),
  };
}

async function insertUpload(
  trx: Transaction,
  { accountId, fileHash, width, height, files }: DecodedUpload,
  { pictureByteLimit }: PictureLimits,
): Promise<PictureRow> {
  const id = `${randomBytes(ID_BYTES).toString('base64url')}-${width}x${height}`;
  // Serializes concurrent uploads, so that together they cannot exceed the limits.
  await lockAccount(trx, accountId);
  const picture = await insertPicture(trx, accountId, { id, fileHash, files });
  const { count, bytes, limit_mb } = await getPictureTotals(trx, accountId);
  const limit = effectivePictureLimit(pictureByteLimit, limit_mb);
  if (limit > 0 && bytes > limit) throw refuse('pictureStorageFull', { limit: limit / MEGABYTE });
  if (count > LIMITS.pictures) throw refuse('pictureLimitReached');
  return picture;
}

function hashFile(file: Buffer): Buffer {
  return hash('sha256', file, 'buffer');
}

async function decodeUnlessRefused(
  accountId: string,
  file: Buffer,
  fileHash: string,
): Promise<DecodedPicture> {
  const refusal = refusals.get(fileHash);
  if (refusal) throw refuse(refusal);
  try {
    return await decodePicture(accountId, file);
  } catch (error) {
    const isRefused = error instanceof RefusalError;
    if (isRefused) refusals.set(fileHash, error.code as keyof typeof PICTURE_FILE_REFUSALS);
    // A full queue or an internal error costs the account nothing.
    const cost = isRefused ? REFUSED_FILE_COST : 0;
    uploads.add(accountId, cost - 1);
    throw error;
  }
}

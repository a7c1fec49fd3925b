import type { pictures, uploads } from '#contract/owner/pictures.ts';
import { parseStoredPicture, picturePath } from '#contract/shared/pictures.ts';
import { removeCoverPicture } from '#db/queries/covers.ts';
import { type PictureRow, getPictureTotals, listPictures } from '#db/queries/pictures.ts';
import { deleteOwnRow } from '#db/queries/rows.ts';
import type { Core } from '#server/core.ts';
import type { Handlers } from '#server/platform/http/contract/register-contract.ts';
import { effectivePictureLimit } from '#server/platform/limits/allowances/allowances.ts';
import { storePicture } from './store-picture.ts';

/** The control block before each frame of a GIF. */
// oxlint-disable-next-line no-control-regex -- The bytes of the format.
const GIF_FRAMES = /!\xf9\x04[^]{4}\0[,!]/g;

export function uploadRoutes({ allowances, pagesOrigin }: Core): Handlers<typeof uploads> {
  return {
    uploadPicture: async ({ accountId, db, recheck, body }) => {
      const file = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
      const picture = await storePicture(db, { accountId, file, recheck }, allowances);
      return { picture: serializePicture(picture, pagesOrigin()), animated: isAnimated(file) };
    },
  };
}

export function pictureRoutes({
  allowances: { pictureByteLimit },
  pagesOrigin,
}: Core): Handlers<typeof pictures> {
  return {
    listPictures: async ({ accountId, readDb }) => {
      const [rows, { bytes, limit_mb }] = await Promise.all([
        listPictures(readDb, accountId),
        getPictureTotals(readDb, accountId),
      ]);
      return {
        pictures: rows.map((row) => serializePicture(row, pagesOrigin())),
        bytes,
        limit: effectivePictureLimit(pictureByteLimit, limit_mb) || null,
      };
    },

    deletePicture: async ({ accountId, db, body: { picture_id: id }, refuse }) => {
      await removeCoverPicture(db, { accountId, pictureId: id });
      if (!(await deleteOwnRow(db, 'pictures', { accountId, id }))) throw refuse('pictureNotFound');
    },
  };
}

function serializePicture({ id, bytes, created_at }: PictureRow, origin: string) {
  const url = `${origin}${picturePath(id)}`;
  const { width, height } = parseStoredPicture(url)!;
  return { id, url, width, height, bytes, created_at: created_at.toISOString() };
}

/** Whether a GIF, WebP, PNG or AVIF file declares an animation. */
function isAnimated(file: Buffer): boolean {
  const head = file.toString('latin1', 0, 16);
  if (head.startsWith('GIF8')) return file.toString('latin1').match(GIF_FRAMES)?.[1] !== undefined;
  if (head.endsWith('WEBPVP8X')) return (file[20]! & 2) !== 0;
  return head.startsWith('\x89PNG') ? file.includes('acTL') : head.includes('ftypavis');
}

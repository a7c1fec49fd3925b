import { z } from 'zod';
import { defineEndpoints } from '../define-endpoints.ts';
import { timeField } from '../fields.ts';
import { LIMITS } from '../limits.ts';
import { success } from '../result-fields.ts';
import { PICTURE_ID_PATTERN, PICTURE_MEDIA_TYPES } from '../pictures.ts';
import { forField, invalidField, refusal } from '../refusal.ts';
import { AUTHENTICATED_DEFAULTS, UPLOAD_DEFAULTS } from '../endpoint-defaults.ts';

const PICTURE_ID_REQUIRED = 'pictureId must be the id of one of your pictures.';

const id = z
  .string(PICTURE_ID_REQUIRED)
  .regex(PICTURE_ID_PATTERN, PICTURE_ID_REQUIRED)
  .meta({
    description: 'The id of the picture.',
    maxLength: 32,
    examples: ['VYl0tjXyQ2C8mHn4sRbA1f-1200x800'],
  });

const pixels = (what: string, example: number) =>
  z
    .int()
    .min(1)
    .max(LIMITS.pictureSide)
    .meta({ description: `${what} in pixels, at the largest size.`, examples: [example] });

const Picture = z
  .object({
    id,
    url: z.string().meta({
      description:
        'The address of the picture at its largest size, to be used in the site. It never changes.',
      maxLength: LIMITS.url,
      examples: ['https://nameplate.example/pictures/VYl0tjXyQ2C8mHn4sRbA1f-1200x800/1200.webp'],
    }),
    width: pixels('Width', 1_200),
    height: pixels('Height', 800),
    bytes: z
      .int()
      .min(0)
      .meta({ description: 'Bytes that the picture takes, in all sizes.', examples: [148_210] }),
    created_at: timeField('When the picture was uploaded', '2026-01-31T09:30:00.000Z'),
  })
  .meta({ id: 'Picture', description: 'A picture of the account.' });

const PictureFile = z.any().meta({
  id: 'PictureFile',
  type: 'string',
  contentMediaType: 'application/octet-stream',
  description: 'The bytes of a JPEG, PNG, WebP, GIF or AVIF file.',
});

const PictureResponse = z
  .object({ picture: Picture })
  .meta({ id: 'PictureResponse', description: 'The picture as it is stored.' });

const PicturesResponse = z
  .object({
    pictures: z
      .array(Picture)
      .meta({ description: 'The pictures, newest first.', maxItems: LIMITS.pictures }),
    bytes: z
      .int()
      .min(0)
      .meta({ description: 'Bytes that they take together.', examples: [148_210] }),
    limit: z
      .int()
      .min(0)
      .nullable()
      .meta({
        description: 'Bytes that they can take together; null means any amount.',
        examples: [50_000_000],
      }),
  })
  .meta({ id: 'PicturesResponse', description: 'The pictures of the account.' });

const DeletePictureRequest = z
  .object({ pictureId: id })
  .meta({ id: 'DeletePictureRequest', description: 'The picture to delete.' });

const DeletePictureResponse = z
  .object({ success })
  .meta({ id: 'DeletePictureResponse', description: 'The picture was deleted.' });

/** Why a file does not become a picture. */
export const PICTURE_FILE_REFUSALS = {
  pictureEmpty: refusal(400, 'The body is empty.', 'The body must be the bytes of a picture.'),
  pictureDamaged: refusal(
    400,
    'The picture is damaged or incomplete.',
    'The picture is damaged or incomplete.',
  ),
  pictureHasTooManyPixels: refusal(
    400,
    'The picture has more than 40 megapixels (AVIF: 16), or more than 20,000 pixels on one side.',
    'The picture has more than 40 megapixels (AVIF: 16), or more than 20,000 pixels on one side. Make it smaller first.',
  ),
  pictureTooComplex: refusal(
    400,
    'The picture takes too long or too much memory to decode.',
    'The picture takes too long or too much memory to decode. Save it in another format or make it smaller first.',
  ),
  pictureTooLarge: refusal(
    413,
    'The file has more than 10 MiB.',
    'The picture has more than 10 MiB. Make it smaller first.',
  ),
  pictureTypeUnsupported: refusal(
    415,
    'The body is not a JPEG, PNG, WebP, GIF or AVIF picture.',
    'The body must be a JPEG, PNG, WebP, GIF or AVIF picture.',
  ),
};

/** Why a picture is not stored. */
export const PICTURE_LIMIT_REFUSALS = {
  pictureStorageFull: refusal(
    400,
    'The pictures of the account take up all their space (`PICTURES_MB_PER_ACCOUNT`).',
    'There is no room for the picture: the pictures of an account can take {limit} MB. Delete one first.',
    { limit: 50 },
  ),
  pictureLimitReached: refusal(
    400,
    `The account has ${LIMITS.pictures} pictures.`,
    `This account has reached its limit of ${LIMITS.pictures} pictures. Delete one first.`,
  ),
  uploadRateLimited: refusal(
    429,
    'The account uploaded 30 new pictures in an hour; a refused file counts as five.',
    'You have uploaded too many pictures. Try again in {wait}.',
    { wait: '40 minutes' },
  ),
};

/** Uploads, whose body is a file. */
export const uploads = defineEndpoints(UPLOAD_DEFAULTS, {
  upload: {
    method: 'POST',
    path: '/owner/pictures/upload',
    summary: 'Upload a picture',
    description: `Stores a picture as WebP in three sizes, of at most 96, 512 and 1,200 pixels. The body is the file itself, of at most 10 MiB and 40 megapixels (AVIF: 16), and at most 20,000 pixels on one side. Decoded, it may take 160 MB: 40 megapixels with 8 bits for each colour, 20 with 16. The picture is turned upright; metadata such as the place is removed; of an animation the first frame is kept. A file that was uploaded before gives the same picture again. A picture that neither the site nor a stored version uses is deleted after 30 days.`,
    body: PictureFile,
    responses: { 200: PictureResponse },
    metadata: {
      failure: 'The picture could not be stored.',
      idempotent: true,
      upload: PICTURE_MEDIA_TYPES,
      refusals: { ...PICTURE_FILE_REFUSALS, ...PICTURE_LIMIT_REFUSALS },
    },
  },
});

/** The pictures of the account. */
export const pictures = defineEndpoints(AUTHENTICATED_DEFAULTS, {
  listPictures: {
    method: 'GET',
    path: '/owner/pictures/list-pictures',
    summary: 'List the pictures',
    description: 'Returns the pictures of the account, newest first, and the space they take.',
    responses: { 200: PicturesResponse },
    metadata: { list: 'pictures', failure: 'The pictures could not be fetched.' },
  },
  deletePicture: {
    method: 'POST',
    path: '/owner/pictures/delete-picture',
    summary: 'Delete a picture',
    description: 'Deletes a picture permanently, also if the page shows it.',
    body: DeletePictureRequest,
    responses: { 200: DeletePictureResponse },
    metadata: {
      failure: 'The picture could not be deleted.',
      destructive: true,
      idempotent: true,
      refusals: {
        pictureIdInvalid: invalidField('pictureId', 'No picture was named.', PICTURE_ID_REQUIRED),
        pictureNotFound: forField(
          'pictureId',
          refusal(404, 'The account has no picture with this id.', 'You have no such picture.'),
        ),
      },
    },
  },
});

import { z } from 'zod';
import { LIMITS } from '#contract/shared/limits.ts';
import { PICTURE_ID_PATTERN, PICTURE_MEDIA_TYPES } from '#contract/shared/pictures.ts';
import { defineOwnerEndpoints } from '../define-endpoints.ts';
import { AUTHENTICATED_DEFAULTS, UPLOAD_DEFAULTS } from '../endpoint-defaults.ts';
import { EXAMPLE_TIME, PICTURE_ID, PICTURE_URL } from '../examples.ts';
import { field, countField, objectSchema, resultSchema, timeField, textField } from '../fields.ts';
import { refusal, notFound } from '../refusal.ts';
import { SuccessResponse } from '../result-fields.ts';
import { matchingText } from '../text.ts';

const pictureId = field(
  'pictureIdInvalid',
  matchingText(PICTURE_ID_PATTERN, 'must be the id of one of your pictures.').meta({
    maxLength: 32,
  }),
  'The id of the picture.',
  PICTURE_ID,
);

const pixelsField = (dimension: string, max: number, example: number) =>
  z
    .int()
    .min(1)
    .max(max)
    .meta({ description: `${dimension} in pixels, at the largest size.`, examples: [example] });

const Picture = objectSchema('Picture', 'A picture of the account.', {
  id: pictureId,
  url: textField(
    'The URL of the picture at its largest size, for use in the site. It never changes.',
    LIMITS.url,
    PICTURE_URL,
  ),
  width: pixelsField('Width', LIMITS.pictureWidth, 1_200),
  height: pixelsField('Height', LIMITS.pictureHeight, 800),
  bytes: countField('The storage that the picture uses in all sizes, in bytes.', 148_210),
  created_at: timeField('When the picture was uploaded', EXAMPLE_TIME),
});

const UploadPictureRequest = z.any().meta({
  id: 'UploadPictureRequest',
  type: 'string',
  contentMediaType: 'application/octet-stream',
  description: 'The bytes of a JPEG, PNG, WebP, GIF or AVIF file.',
});

export const PICTURE_FILE_REFUSALS = {
  pictureEmpty: refusal(400, 'The body is empty.', 'The body must be the bytes of a picture.'),
  pictureDamaged: refusal(
    400,
    'The picture is damaged or incomplete. Save it again with another program.',
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
    'The file is larger than 10 MiB.',
    'The picture is larger than 10 MiB. Make it smaller first.',
  ),
  pictureIsHeic: refusal(
    415,
    'The picture is a HEIC file, the format of iPhones.',
    'HEIC pictures cannot be read. Save the picture as JPEG first; on an iPhone, "Most Compatible" under Camera, Formats does it for new ones.',
  ),
  pictureTypeUnsupported: refusal(
    415,
    'The body is not a JPEG, PNG, WebP, GIF or AVIF picture.',
    'The body must be a JPEG, PNG, WebP, GIF or AVIF picture.',
  ),
};

export const PICTURE_LIMIT_REFUSALS = {
  pictureStorageFull: refusal(
    400,
    'The account reached its storage limit for pictures: `PICTURES_MB_PER_ACCOUNT`, or the limit that an operator set for the account.',
    'This account has reached its limit of {limit} MB for pictures. Delete one first.',
    { limit: 50 },
  ),
  pictureLimitReached: refusal(
    400,
    `The account already has ${LIMITS.pictures} pictures.`,
    `This account has reached its limit of ${LIMITS.pictures} pictures. Delete one first.`,
  ),
  uploadRateLimited: refusal(
    429,
    'The account uploaded 60 new pictures within an hour. A refused file counts as five.',
    'You have uploaded too many pictures. Try again in {wait}.',
    { wait: '40 minutes' },
  ),
};

export const uploads = defineOwnerEndpoints('pictures', UPLOAD_DEFAULTS, {
  uploadPicture: {
    method: 'POST',
    summary: 'Upload a picture',
    description: `Stores a picture as WebP in three sizes, of at most 96, 512 and 1,200 pixels, upright and without metadata or animation, until 30 days after its last use. The request body is the file itself: at most 10 MiB, 40 megapixels (AVIF: 16) and 20,000 pixels on one side, and at most 160 MB when decoded (40 megapixels with 8 bits per color, or 20 with 16).`,
    body: UploadPictureRequest,
    response: resultSchema('The stored picture.', {
      picture: Picture,
      animated: z.boolean().meta({
        description: 'Whether the file is an animation. Only its first frame was stored.',
        examples: [false],
      }),
    }),
    failure: 'The picture could not be stored.',
    idempotent: true,
    uploadTypes: PICTURE_MEDIA_TYPES,
    refusals: { ...PICTURE_FILE_REFUSALS, ...PICTURE_LIMIT_REFUSALS },
  },
});

export const pictures = defineOwnerEndpoints('pictures', AUTHENTICATED_DEFAULTS, {
  listPictures: {
    method: 'GET',
    summary: 'List the pictures',
    description:
      'Returns the pictures of the account, newest first, and the storage that they use.',
    response: resultSchema('The pictures of the account.', {
      pictures: z
        .array(Picture)
        .meta({ description: 'The pictures, newest first.', maxItems: LIMITS.pictures }),
      bytes: countField('The storage that all pictures use together, in bytes.', 148_210),
      limit: countField(
        'The storage limit for all pictures together, in bytes. Null for no limit.',
        50_000_000,
      ).nullable(),
    }),
    listField: 'pictures',
    failure: 'The pictures could not be fetched.',
  },
  deletePicture: {
    method: 'POST',
    summary: 'Delete a picture',
    description: 'Deletes a picture permanently, even if the page shows it.',
    body: {
      picture_id: pictureId,
    },
    response: SuccessResponse,
    failure: 'The picture could not be deleted.',
    destructive: true,
    idempotent: true,
    refusals: {
      pictureNotFound: notFound('picture'),
    },
  },
});

import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import { ErrorResponse, KEY_REQUIRED, readErrors, writeErrors, writeHeaders } from './errors.ts';
import { LIMITS } from './limits.ts';

const c = initContract();

/** Specification, endpoint 1. */
export const DisplayNameResponse = z
  .object({
    display_name: z.string().meta({
      description: 'The display name, or an empty string if none was ever set.',
      pattern: '^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)?$',
      maxLength: LIMITS.displayNameMax,
      examples: ['jane-doe'],
    }),
  })
  .meta({ id: 'DisplayNameResponse', description: 'The display name of the account.' });
export type DisplayNameResponse = z.infer<typeof DisplayNameResponse>;

const DISPLAY_NAME_REQUIRED = 'A display name is required.';

// What the sanitizer drops in silence, in characters that every regular expression engine knows.
const dropped =
  '[!-,./:-@[-`{-~\\u00A1-\\u00A9\\u2010-\\u2027\\u2030-\\u205E\\u2600-\\u26FF\\uFE0F]*';
const kept = `[A-Za-z0-9]${dropped}`;
const any = `[A-Za-z0-9\\s-]${dropped}`;
const x = `[xX]${dropped}`;
const n = `[nN]${dropped}`;
const { displayNameMin: min, displayNameMax: max } = LIMITS;

/**
 * Names that the sanitizer turns into a valid one, as the pattern of the OpenAPI document: 3 to 63
 * characters, none but letters and digits at the ends and not `xn--` in front, said without look-around
 * and without Unicode properties, which few tools know.
 */
const SANITIZABLE = [
  `^\\s*${dropped}(?:`,
  [
    `[A-WYZa-wyz0-9]${dropped}(?:${any}){${min - 2},${max - 2}}`,
    `${x}[A-MO-Za-mo-z0-9\\s-]${dropped}(?:${any}){0,${max - 3}}`,
    `${x}${n}(?:${kept}(?:${any}){0,${max - 4}})?`,
    `${x}${n}[\\s-]${dropped}(?:${kept}(?:${any}){0,${max - 5}})?`,
  ].join('|'),
  `)${kept}\\s*$`,
].join('');

/** Specification, endpoint 2. */
export const UpdateDisplayNameRequest = z
  .object(
    {
      display_name: z
        .string(DISPLAY_NAME_REQUIRED)
        .refine((name) => name.trim() !== '', DISPLAY_NAME_REQUIRED)
        .meta({
          description: `The new name. It is trimmed and lower-cased, white space becomes a hyphen and every other character outside a-z, 0-9 and - is removed; ${LIMITS.displayNameMin} to ${LIMITS.displayNameMax} characters must remain, without a hyphen at either end. Unique across all accounts.`,
          pattern: SANITIZABLE,
          maxLength: LIMITS.bodyBytes,
          examples: ['Jane Doe'],
        }),
    },
    DISPLAY_NAME_REQUIRED,
  )
  .meta({ id: 'UpdateDisplayNameRequest', description: 'The display name to take.' });
export type UpdateDisplayNameRequest = z.infer<typeof UpdateDisplayNameRequest>;

/** Specification, endpoint 2. */
export const UpdateDisplayNameResponse = z
  .object({
    success: z.literal(true).meta({ description: 'Always true.' }),
    message: z.string().meta({
      description: 'What happened, as a sentence for people.',
      maxLength: LIMITS.sentence,
      examples: [
        'The display name was updated to jane-doe. Email forwarding was disabled and can be re-enabled via the API or dashboard.',
      ],
    }),
  })
  .meta({ id: 'UpdateDisplayNameResponse', description: 'The display name was changed.' });
export type UpdateDisplayNameResponse = z.infer<typeof UpdateDisplayNameResponse>;

/** The display name of the account (specification, endpoints 1 and 2). */
export const account = c.router(
  {
    getDisplayName: {
      method: 'GET',
      path: '/account/get-display-name',
      summary: 'Read the display name',
      description: "Returns the display name of the key's owner; empty if none was ever set.",
      responses: { 200: DisplayNameResponse, ...readErrors },
      metadata: {
        unauthorized: KEY_REQUIRED,
        failure: 'The display name could not be fetched.',
      },
    },
    updateDisplayName: {
      method: 'POST',
      path: '/account/update-display-name',
      summary: 'Change the display name',
      description:
        'Sanitizes the name and takes it. Email forwarding is disabled, its address is cleared and the alias of the old name is removed, also when the name stays the same. A name that is reserved or taken is refused with 409, one that cannot be a display name with 400 and a suggestion.',
      headers: writeHeaders,
      body: UpdateDisplayNameRequest,
      responses: {
        200: UpdateDisplayNameResponse,
        ...writeErrors,
        404: ErrorResponse,
        409: ErrorResponse,
      },
      metadata: {
        unauthorized: KEY_REQUIRED,
        failure: 'The display name could not be updated.',
      },
    },
  },
  { strictStatusCodes: true },
);

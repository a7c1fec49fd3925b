import { z } from 'zod';
import { defineOwnerEndpoints } from '../define-endpoints.ts';
import { AUTHENTICATED_DEFAULTS } from '../endpoint-defaults.ts';
import { field, nullableTextField, objectSchema } from '../fields.ts';
import { forField, refusal } from '../refusal.ts';
import { SuccessResponse } from '../result-fields.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import { limitedText } from '../text.ts';

const url = field(
  'coverUrlInvalid',
  limitedText(LIMITS.coverUrl),
  'The address as the block has it.',
  'https://youtu.be/aqz-KE-bpKQ',
);

const Cover = objectSchema('Cover', 'What a service says about the address of a link or embed.', {
  url,
  state: z.enum(['pending', 'found', 'failed', 'removed']).meta({
    description:
      '`pending`: the server asks the service. `failed`: see `problem`. `removed`: you removed it, and no lookup brings it back until you refresh it.',
    examples: ['found'],
  }),
  problem: z
    .enum(['not_found', 'unreachable', 'no_cover', 'picture_limit'])
    .nullable()
    .meta({
      description:
        '`not_found`: the service has no public page there. `unreachable`: the service did not respond as expected, so refresh the cover later. `no_cover`: the service has no picture that can be stored. `picture_limit`: the limits of your pictures leave no room. Null unless the state is `failed`.',
      examples: [null],
    }),
  title: nullableTextField(
    'The title, which the page shows if the block has none.',
    LIMITS.coverTitle,
    'Big Buck Bunny',
  ),
  picture_url: nullableTextField(
    'The URL of the stored cover. A failed refresh keeps the earlier one.',
    LIMITS.url,
    'https://nameplate.example/pictures/VYl0tjXyQ2C8mHn4sRbA1f-480x360/1200.webp',
  ),
});

const coverNotFound = forField(
  'url',
  refusal(
    404,
    'No saved link or embed has this address, or its service is not known.',
    'No saved block has this address, or its service is not known.',
  ),
);

export const covers = defineOwnerEndpoints('pictures', AUTHENTICATED_DEFAULTS, {
  listCovers: {
    method: 'GET',
    summary: 'List the covers',
    description:
      'Returns titles and covers of the links and embeds of your page that lead to YouTube, Vimeo, Spotify, SoundCloud, Apple Music, Apple Podcasts, Bandcamp or CodePen. The server asks the service once, after the page is saved, and stores the cover as one of your pictures.',
    responses: {
      200: objectSchema('ListCoversResponse', 'The covers of the page.', {
        covers: z
          .array(Cover)
          .meta({ description: 'The covers, by address.', maxItems: LIMITS.blocks }),
      }),
    },
    metadata: { listField: 'covers', failure: 'The covers could not be fetched.' },
  },
  updateCover: {
    method: 'POST',
    summary: 'Look up a cover again',
    description: `Asks the service again for the title and cover of an address, also after you removed the cover. An account can look up ${LIMITS.coverLookupsPerHour} covers in an hour.`,
    body: objectSchema('UpdateCoverRequest', 'The cover to look up.', { url }),
    responses: { 200: SuccessResponse },
    metadata: {
      failure: 'The cover could not be looked up.',
      idempotent: true,
      refusals: {
        coverNotFound,
        coverRateLimited: refusal(
          429,
          `The account looked up ${LIMITS.coverLookupsPerHour} covers within an hour.`,
          'You have looked up too many covers. Try again in {wait}.',
          { wait: '40 minutes' },
        ),
      },
    },
  },
  deleteCover: {
    method: 'POST',
    summary: 'Remove a cover',
    description: 'Removes the title and cover of an address from the page, until you refresh it.',
    body: objectSchema('DeleteCoverRequest', 'The cover to remove.', { url }),
    responses: { 200: SuccessResponse },
    metadata: {
      failure: 'The cover could not be removed.',
      destructive: true,
      idempotent: true,
      refusals: { coverNotFound },
    },
  },
});

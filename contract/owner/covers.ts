import { z } from 'zod';
import { LIMITS } from '#contract/shared/limits.ts';
import { defineOwnerEndpoints } from '../define-endpoints.ts';
import { AUTHENTICATED_DEFAULTS } from '../endpoint-defaults.ts';
import { booleanParam, field, nullableTextField, objectSchema, resultSchema } from '../fields.ts';
import { forField, refusal } from '../refusal.ts';
import { SuccessResponse } from '../result-fields.ts';
import { limitedText } from '../text.ts';

const url = field(
  'coverUrlInvalid',
  limitedText(LIMITS.coverUrl),
  'The address as the block has it.',
  'https://youtu.be/aqz-KE-bpKQ',
);

const Cover = objectSchema('Cover', 'What a service says about the address of a link or embed.', {
  url,
  state: z
    .enum([
      'pending',
      'found',
      'removed',
      'not_found',
      'unreachable',
      'no_cover',
      'picture_limit',
      'rate_limited',
    ])
    .meta({
      description:
        '`pending`: the server asks the service. `removed`: you removed it, until you look it up again. `not_found`: the service has no public page there. `unreachable`: the service did not respond as expected, so look it up again later. `no_cover`: the service has no picture that can be stored. `picture_limit`: the limits of your pictures leave no room. `rate_limited`: the page had too many new addresses within an hour, so look this one up later.',
      examples: ['found'],
    }),
  title: nullableTextField(
    'The title, which the page shows if the block has none.',
    LIMITS.coverTitle,
    'Big Buck Bunny',
  ),
  picture_url: nullableTextField(
    'The URL of the stored cover. A lookup that fails keeps the earlier one.',
    LIMITS.url,
    'https://club.example/pictures/VYl0tjXyQ2C8mHn4sRbA1f-480x360/1200.webp',
  ),
});

export const covers = defineOwnerEndpoints('pictures', AUTHENTICATED_DEFAULTS, {
  listCovers: {
    method: 'GET',
    summary: 'List the covers',
    description:
      'Returns titles and covers of the links and embeds of your page that lead to YouTube, Vimeo, Spotify or SoundCloud. The server asks the service once, after the page is saved, and stores the cover as one of your pictures.',
    response: resultSchema('The covers of the page.', {
      covers: z
        .array(Cover)
        .meta({ description: 'The covers, by address.', maxItems: LIMITS.blocks }),
    }),
    listField: 'covers',
    failure: 'The covers could not be fetched.',
  },
  updateCover: {
    method: 'POST',
    summary: 'Look up or remove a cover',
    description: `Asks the service again for the title and cover of an address, or removes them from the page. An account can look up ${LIMITS.coverLookupsPerHour} covers in an hour.`,
    body: {
      url,
      removed: field(
        'coverRemovedInvalid',
        booleanParam().default(false),
        'Whether the page shows neither title nor cover of the service.',
        false,
      ),
    },
    response: SuccessResponse,
    failure: 'The cover could not be changed.',
    idempotent: true,
    refusals: {
      coverNotFound: forField(
        'url',
        refusal(
          404,
          'No saved link or embed has this address, or its service is not known.',
          'No saved block has this address, or its service is not known.',
        ),
      ),
      coverRateLimited: refusal(
        429,
        `The account looked up ${LIMITS.coverLookupsPerHour} covers within an hour.`,
        'You have looked up too many covers. Try again in {wait}.',
        { wait: '40 minutes' },
      ),
    },
  },
});

import { z } from 'zod';
import { LIMITS } from '#contract/shared/limits.ts';
import { Block } from '../block.ts';
import { defineOwnerEndpoints } from '../define-endpoints.ts';
import { QUERY_DEFAULTS } from '../endpoint-defaults.ts';
import { nullableTextField, objectSchema } from '../fields.ts';
import { forField, refusal } from '../refusal.ts';
import { limitedText } from '../text.ts';

const LeftOutItem = objectSchema('LeftOutItem', 'Something that does not become a block.', {
  reason: z.enum(['old_page', 'not_supported', 'not_a_link', 'too_many']).meta({
    description:
      '`old_page`: a link to the old page or its service; `not_supported`: a URL that a page cannot link to; `not_a_link`: a text; `too_many`: a page has no more blocks.',
    examples: ['old_page'],
  }),
  title: z.string().meta({ description: 'Its text.', examples: ['Privacy'] }),
  url: nullableTextField('Its URL.', LIMITS.url, 'https://linktr.ee/privacy'),
});

const ImportedPage = objectSchema(
  'ImportedPage',
  'Proposed blocks. Nothing is stored: save those that you want.',
  {
    blocks: z.array(Block).meta({
      description:
        'Links, social links and headings, in order. What the old page does not show has `enabled: false`.',
      maxItems: LIMITS.blocks,
    }),
    left_out: z.array(LeftOutItem).meta({
      description: 'The first 50 texts and links that were left out.',
      maxItems: 50,
    }),
  },
);

const PAGE_IMPORT_REFUSALS = {
  sourceIsAddress: forField(
    'source',
    refusal(
      400,
      'The source is the URL of a page. The server does not fetch pages.',
      'source must be the source of a page or a list of links, not the URL of a page.',
    ),
  ),
  importRateLimited: refusal(
    429,
    'The account imported 30 pages in an hour.',
    'Too many imports. Try again in {wait}.',
    { wait: '20 minutes' },
  ),
  sourceUnreadable: forField(
    'source',
    refusal(
      400,
      'The source is nested too deeply, or has more than 50,000 elements.',
      'source is too complex: it is nested too deeply, or has too many elements.',
    ),
  ),
};

export const pageImport = defineOwnerEndpoints('page', QUERY_DEFAULTS, {
  importPage: {
    method: 'POST',
    summary: 'Import a page from another service',
    description:
      'Returns the links of a page or a text as a proposal. Nothing is fetched or stored.',
    body: {
      source: limitedText(LIMITS.pageSource).meta({
        description: 'The HTML of a page, or links as text, Markdown or JSON.',
        examples: ['My shop: https://example.com/shop'],
      }),
    },
    response: ImportedPage,
    untrustedFields: 'all',
    failure: 'The page could not be imported.',
    refusals: PAGE_IMPORT_REFUSALS,
    readOnly: true,
  },
});

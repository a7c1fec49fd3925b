import { z } from 'zod';
import { defineOwnerEndpoints } from '../define-endpoints.ts';
import { Block } from '../block.ts';
import { IMPORT_HOSTS_TEXT } from '#contract/shared/import-hosts.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import { forField, refusal } from '../refusal.ts';
import { QUERY_DEFAULTS } from '../endpoint-defaults.ts';
import { limitedText } from '../text.ts';
import { nullableTextField, objectSchema } from '../fields.ts';

const ImportPageRequest = objectSchema('ImportPageRequest', 'The page to import.', {
  source: limitedText(LIMITS.pageSource).meta({
    description: `The URL of a page at ${IMPORT_HOSTS_TEXT}, whose scheme defaults to https; or the HTML of any page; or links as text, Markdown or JSON.`,
    examples: ['https://linktr.ee/jane', 'My shop: https://example.com/shop'],
  }),
});

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

export const PAGE_IMPORT_REFUSALS = {
  importHostUnknown: forField(
    'source',
    refusal(
      400,
      'A text without spaces is the URL of a page, and pages of this host cannot be fetched.',
      `source must be the URL of a page at ${IMPORT_HOSTS_TEXT}, or contain links.`,
    ),
  ),
  importPageNotFound: forField(
    'source',
    refusal(
      404,
      'The service has no such page. Check the name in its URL.',
      'There is no page at {address}.',
      {
        address: 'linktr.ee/jane',
      },
    ),
  ),
  importFailed: refusal(
    502,
    'The page could not be fetched, or its content is not supported.',
    'The page could not be read: {reason}. Paste its source instead.',
    { reason: 'linktr.ee answered 403' },
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
      'Reading the source takes too much time or memory.',
      'source is too complex: reading it takes too much time or memory.',
    ),
  ),
};

export const pageImport = defineOwnerEndpoints('page', QUERY_DEFAULTS, {
  importPage: {
    method: 'POST',
    summary: 'Import a page from another service',
    description:
      'Returns the links of a page or a text as a proposal. A text without spaces is the URL of a page, which is fetched. Nothing is stored.',
    body: ImportPageRequest,
    responses: { 200: ImportedPage },
    metadata: {
      untrustedText: true,
      failure: 'The page could not be imported.',
      refusals: PAGE_IMPORT_REFUSALS,
      readOnly: true,
    },
  },
});

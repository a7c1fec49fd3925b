import { z } from 'zod';
import { defineOwnerEndpoints } from '../define-endpoints.ts';
import { Block } from '../block.ts';
import { IMPORT_HOSTS_TEXT } from '#contract/shared/import-hosts.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import { forField, refusal } from '../refusal.ts';
import { QUERY_DEFAULTS } from '../endpoint-defaults.ts';
import { limitedText } from '../text.ts';
import { field, nullableTextField, objectSchema } from '../fields.ts';

const ImportPageRequest = objectSchema('ImportPageRequest', 'The page to import.', {
  url: field(
    'importHostUnknown',
    limitedText(LIMITS.url, `must be the URL of a page at ${IMPORT_HOSTS_TEXT}.`),
    'The URL of the page. The scheme defaults to https.',
    'https://linktr.ee/jane',
  ),
});

const ImportPageTextRequest = objectSchema('ImportPageTextRequest', 'The source to read.', {
  source: limitedText(LIMITS.pageSource).meta({
    description: 'The HTML of a page, or links as plain text, Markdown, CSV or JSON.',
    examples: ['<h1>Jane</h1><a href="https://example.com/shop">My shop</a>'],
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
  importPageNotFound: forField(
    'url',
    refusal(404, 'The service has no such page.', 'There is no page at {address}.', {
      address: 'linktr.ee/jane',
    }),
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
};

export const pageImport = defineOwnerEndpoints('page', QUERY_DEFAULTS, {
  importPage: {
    method: 'POST',
    summary: 'Import a page from another service',
    description: `Fetches a page from ${IMPORT_HOSTS_TEXT} and returns its links as a proposal. Nothing is stored.`,
    body: ImportPageRequest,
    responses: { 200: ImportedPage },
    metadata: {
      untrustedText: true,
      failure: 'The page could not be imported.',
      refusals: PAGE_IMPORT_REFUSALS,
      readOnly: true,
    },
  },
  importPageText: {
    method: 'POST',
    summary: 'Import the source of a page',
    description:
      'Extracts the links from HTML, JSON, CSV, Markdown or text, and returns them as a proposal. It works for pages of any service, such as LinkStack. Nothing is fetched or stored.',
    body: ImportPageTextRequest,
    responses: { 200: ImportedPage },
    metadata: {
      untrustedText: true,
      failure: 'The source could not be read.',
      readOnly: true,
      refusals: {
        sourceUnreadable: forField(
          'source',
          refusal(
            400,
            'Reading the source takes too much time or memory.',
            'source is too complex: reading it takes too much time or memory.',
          ),
        ),
      },
    },
  },
});

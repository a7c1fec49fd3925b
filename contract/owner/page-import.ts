import { z } from 'zod';
import { defineEndpoints } from '../define-endpoints.ts';
import { Block } from '../block.ts';
import { IMPORT_HOST_NAMES } from '../import-hosts.ts';
import { LIMITS } from '../limits.ts';
import { forField, invalidField, refusal } from '../refusal.ts';
import { QUERY_DEFAULTS } from '../endpoint-defaults.ts';
import { limitedText } from '../text.ts';

const URL_TEXT = `url must be the address of a page at ${IMPORT_HOST_NAMES}.`;
const SOURCE = `source must be a string of at most ${LIMITS.pageSource} characters.`;

const ImportPageRequest = z
  .object({
    url: limitedText(LIMITS.url, URL_TEXT).meta({
      description: 'The address of the page. Without a scheme, https.',
      examples: ['https://linktr.ee/jane'],
    }),
  })
  .meta({ id: 'ImportPageRequest', description: 'The page to import.' });

const ReadSourceRequest = z
  .object({
    source: limitedText(LIMITS.pageSource, SOURCE).meta({
      description: 'The HTML of a page, JSON, or a list of addresses.',
      examples: ['<h1>Jane</h1><a href="https://example.com/shop">My shop</a>'],
    }),
  })
  .meta({ id: 'ReadSourceRequest', description: 'The source to read.' });

const ImportedPage = z
  .object({
    display_name: z
      .string()
      .nullable()
      .meta({
        description: 'The title that was found.',
        maxLength: LIMITS.siteDisplayName,
        examples: ["Jane's pots"],
      }),
    bio: z
      .string()
      .nullable()
      .meta({
        description: 'The bio that was found.',
        maxLength: LIMITS.bio,
        examples: ['Potter in Lisbon.'],
      }),
    avatar_url: z
      .string()
      .nullable()
      .meta({
        description: 'The address of the picture that was found. The picture stays there.',
        maxLength: LIMITS.url,
        examples: ['https://example.com/jane.png'],
      }),
    blocks: z.array(Block).meta({
      description: 'Links, social links and headings, in order.',
      maxItems: LIMITS.blocks,
    }),
  })
  .meta({
    id: 'ImportedPage',
    description: 'A proposal for the site. Nothing of it is stored: save what you choose.',
  });

/** Refusals of an import by address. */
export const PAGE_IMPORT_REFUSALS = {
  importHostUnknown: invalidField('url', 'The page is not at one of the known services.', URL_TEXT),
  importPageNotFound: forField(
    'url',
    refusal(404, 'The service has no such page.', 'There is no page at {address}.', {
      address: 'linktr.ee/jane',
    }),
  ),
  importFailed: refusal(
    500,
    'The page could not be fetched, or is not a page that can be read.',
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

/** Proposals for the site from pages elsewhere. */
export const pageImport = defineEndpoints(QUERY_DEFAULTS, {
  importPage: {
    method: 'POST',
    path: '/owner/page/import',
    summary: 'Read a page elsewhere',
    description: `Fetches a page at ${IMPORT_HOST_NAMES} and returns its name, bio, picture address and links as a proposal. Nothing is stored.`,
    body: ImportPageRequest,
    responses: { 200: ImportedPage },
    metadata: {
      failure: 'The page could not be imported.',
      refusals: PAGE_IMPORT_REFUSALS,
      readOnly: true,
    },
  },
  readSource: {
    method: 'POST',
    path: '/owner/page/read-source',
    summary: 'Read the source of a page',
    description:
      'Returns name, bio, picture address and links of HTML, JSON or a list of addresses as a proposal: for pages of any service, such as LinkStack. Nothing is fetched or stored.',
    body: ReadSourceRequest,
    responses: { 200: ImportedPage },
    metadata: {
      failure: 'The source could not be read.',
      readOnly: true,
      refusals: {
        sourceUnreadable: forField(
          'source',
          refusal(
            400,
            'Reading the source takes too long.',
            'source must be a page that can be read within 5 seconds.',
          ),
        ),
      },
    },
  },
});

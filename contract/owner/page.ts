import { z } from 'zod';
import { formatLimit, LIMITS } from '#contract/shared/limits.ts';
import { SITE_FIELDS } from '#contract/shared/site-fields.ts';
import { Block } from '../block.ts';
import { defineOwnerEndpoints } from '../define-endpoints.ts';
import { AUTHENTICATED_DEFAULTS, QUERY_DEFAULTS } from '../endpoint-defaults.ts';
import { EXAMPLE_TIME } from '../examples.ts';
import {
  field,
  booleanField,
  countField,
  objectSchema,
  resultSchema,
  textField,
  timeField,
  intParam,
  booleanParam,
} from '../fields.ts';
import { queryNumber } from '../query-values.ts';
import { refusal } from '../refusal.ts';
import { SITE_RESTORE_REFUSALS, SITE_SAVE_REFUSALS } from '../site-version-refusals.ts';
import {
  Site,
  SITE_CHANGE_REFUSALS,
  SITE_UPDATE_REFUSALS,
  UpdateSiteConfigurationRequest,
} from '../site.ts';
import { HEX_COLOR_PATTERN } from '../themes.ts';
import { pageImport } from './page-import.ts';

const VERSION_MESSAGE = 'must be the number of a version, 0 or more.';

const version = field('versionInvalid', z.int(VERSION_MESSAGE).min(0, VERSION_MESSAGE));
const versionNumber = version.meta({
  description: 'The number of the version. It increases, also by more than one.',
  examples: [7],
});

const VERSION_FIELDS = [...SITE_FIELDS, 'settings', 'blocks'] as const;

const PageVersionBlocks = objectSchema('PageVersionBlocks', 'Blocks that a version changed.', {
  type: textField('The block type.', 32, 'link'),
  change: z
    .enum(['added', 'changed', 'removed'])
    .meta({ description: 'How the version changed the blocks.', examples: ['added'] }),
  count: z
    .int()
    .min(1)
    .meta({ description: 'The number of blocks.', maximum: LIMITS.blocks, examples: [2] }),
});

const PageVersion = objectSchema('PageVersion', 'A version of the site.', {
  version: versionNumber,
  created_at: timeField('When the version was created', EXAMPLE_TIME),
  bytes: countField('The size of the version as JSON, in bytes.', 2_048),
  changed: z.array(z.enum(VERSION_FIELDS)).meta({
    description:
      'The fields that differ from the previous version. For the oldest version, all fields that it has. `settings` is the block of type `page`.',
    maxItems: VERSION_FIELDS.length,
    examples: [['bio', 'blocks']],
  }),
  blocks: z.array(PageVersionBlocks).meta({
    description:
      'The blocks that differ from the previous version, by type. Empty if blocks were only moved.',
    maxItems: 3 * LIMITS.blocks,
    examples: [[{ type: 'link', change: 'added', count: 2 }]],
  }),
});

const UpdatePageRequest = UpdateSiteConfigurationRequest.extend({
  version: version.meta({
    description:
      'The version that your change is based on. If there is a newer one, nothing is saved.',
    examples: [7],
  }),
}).meta({
  id: 'UpdatePageRequest',
  description:
    'The base version and the site details to change. Omitted fields stay unchanged; null clears a field.',
});

const PageResponse = objectSchema('PageResponse', 'The site was saved.', {
  version: version.meta({ description: 'The newest version after the change.', examples: [8] }),
});

const UpdatePageVisibilityRequest = z
  .object({
    visible: field('visibleInvalid', booleanParam(), 'Whether the page is public.', true),
    members: field(
      'membersInvalid',
      booleanParam().default(false),
      'Whether only people who are signed in on this server see the page. Not together with `visible`.',
      false,
    ),
  })
  .refine(({ visible, members }) => !visible || !members, {
    error: 'must be false if visible is true.',
    path: ['members'],
  })
  .meta({ id: 'UpdatePageVisibilityRequest', description: 'The visibility to set.' });

const PAGE_VISIBILITY = {
  visible: z.boolean().meta({ description: 'Whether the page is public now.' }),
  members: booleanField('Whether only people who are signed in see the page now.', false),
};

const visibleOnFrontPage = booleanField(
  'Whether the owner lets the front page of the server show the page, and the list at `/members` have it.',
  true,
);

const renderedColorField = (description: string, example: string) =>
  z
    .string()
    .meta({ description, pattern: HEX_COLOR_PATTERN.source, maxLength: 7, examples: [example] });

const ShownColors = objectSchema('ShownColors', 'The effective colors of the page.', {
  background_color: renderedColorField('The background, #RRGGBB.', '#101418'),
  primary_color: renderedColorField('Headings, #RRGGBB.', '#ffd166'),
  button_color: renderedColorField(
    'Buttons, #RRGGBB: the color of headings, or of links if no heading color was set.',
    '#ffd166',
  ),
  text_color: renderedColorField('Text, #RRGGBB.', '#f5f5f5'),
  accent_color: renderedColorField('Links, #RRGGBB.', '#06d6a0'),
});

export const page = {
  ...defineOwnerEndpoints('page', AUTHENTICATED_DEFAULTS, {
    listPageVersions: {
      method: 'GET',
      summary: 'List the versions of the site',
      description: `Returns the stored versions of the site: every change but showing and hiding it creates one. The latest ${LIMITS.siteVersions} are kept, or as many as fit into ${formatLimit(LIMITS.siteVersionsBytes)} bytes.`,
      response: resultSchema('The versions of the site.', {
        versions: z.array(PageVersion).meta({
          description:
            'The stored versions, newest first. The first one is the current site. Empty if the site was never changed.',
          maxItems: LIMITS.siteVersions,
        }),
      }),
      listField: 'versions',
      failure: 'The versions could not be fetched.',
    },
    getPageVersion: {
      method: 'GET',
      summary: 'Read a version of the site',
      description:
        'Returns a version of the site, by default the current one: its details, theme and blocks, with the number to send to `updatePage`.',
      query: {
        version: field(
          'versionInvalid',
          queryNumber(version).optional(),
          'The number of the version. Default: the newest.',
          7,
        ),
      },
      response: resultSchema('A version of the site.', {
        version: version.meta({
          description: 'The number of the version. 0 if the site was never changed.',
          examples: [7],
        }),
        site: Site,
        blocks: z.array(Block).meta({
          description: 'The content blocks in display order.',
          maxItems: LIMITS.blockEntries,
        }),
      }),
      failure: 'The version could not be fetched.',
      refusals: SITE_RESTORE_REFUSALS,
    },
    updatePage: {
      method: 'POST',
      summary: 'Change the site if it is still at this version',
      description:
        'Changes what the page shows: details such as bio and picture, the theme, or the blocks (to add a link or a text, send all blocks with the new one). Also send the `version` that your change is based on, from `getPageVersion`: if the site has changed since then, nothing is saved or overwritten.',
      body: UpdatePageRequest,
      response: PageResponse,
      failure: 'Failed to update site details.',
      idempotent: true,
      readOnlyFields: ['themes'],
      refusals: {
        ...SITE_CHANGE_REFUSALS,
        ...SITE_SAVE_REFUSALS,
      },
    },
    restorePageVersion: {
      method: 'POST',
      summary: 'Restore a version of the site',
      description:
        'Restores the details, theme and blocks of a version. This creates a new version, so nothing is lost, unless the site is already the same.',
      body: { version: versionNumber },
      response: PageResponse,
      failure: 'The version could not be restored.',
      idempotent: true,
      refusals: { ...SITE_UPDATE_REFUSALS, ...SITE_RESTORE_REFUSALS },
    },
    getPageVisibility: {
      method: 'GET',
      summary: 'Read who sees the page',
      description:
        'Returns whether everyone, only people who are signed in on this server, or only the owner sees the page. While an operator hides the page, both fields are false.',
      response: resultSchema(
        'Who sees the page. If both are false, only its owner.',
        PAGE_VISIBILITY,
      ),
      failure: 'The visibility could not be fetched.',
    },
    updatePageVisibility: {
      method: 'POST',
      summary: 'Show or hide the page',
      description:
        'Shows the page to everyone or to everybody who is signed in on this server, or hides it; repeating it changes nothing. A page for members has no preview picture, is not at a custom domain, and its calendar and feed open only in a browser that is signed in.',
      body: UpdatePageVisibilityRequest,
      response: resultSchema(
        'Who sees the page now. If both are false, only its owner.',
        PAGE_VISIBILITY,
      ),
      failure: 'The visibility could not be updated.',
      idempotent: true,
      refusals: {
        pageSuspended: refusal(
          409,
          'An operator hides the page.',
          'An operator has hidden this page. Ask the operator of the service.',
        ),
        membersPageUnavailable: refusal(
          409,
          'Pages have a host of their own (PAGES_URL), where nobody is signed in.',
          'On this server, pages are at another host than the dashboard, so they cannot tell who is signed in. Publish the page or hide it.',
        ),
      },
    },
    getFrontPage: {
      method: 'GET',
      summary: 'Read whether the front page may show the page',
      description:
        'Returns whether the owner lets the front page of the server show the page, with its title, name, picture and the first line of its bio, or as a whole. The same consent, off by default, is for the list of members at `/members`.',
      response: resultSchema('Whether the front page and the list of members may show the page.', {
        visible: visibleOnFrontPage,
        available: booleanField(
          'Whether the server has a front page or a list at `/members`, which show pages of members.',
          true,
        ),
      }),
      failure: 'The choice could not be fetched.',
    },
    updateFrontPage: {
      method: 'POST',
      summary: 'Let the front page show the page, or not',
      description:
        'Lets the front page of the server and the list of members at `/members` show the page while it is visible, or stops that at once. With open sign-up, the page appears when search engines may list it.',
      body: {
        visible: field('visibleInvalid', booleanParam().meta({ ...visibleOnFrontPage.meta() })),
      },
      response: resultSchema('The stored choice.', {
        visible: visibleOnFrontPage,
      }),
      failure: 'The choice could not be updated.',
      idempotent: true,
    },
    getPageViews: {
      method: 'GET',
      summary: 'Read the views of the page',
      description:
        'Returns the daily views of the page up to today. Bots are not counted, and nothing about individual visitors is stored.',
      query: {
        days: field(
          'daysInvalid',
          queryNumber(intParam(1, LIMITS.pageViewDays)).default(30),
          'The number of days up to today (UTC).',
          30,
        ),
      },
      response: resultSchema('The views of the page.', {
        days: z
          .array(
            objectSchema('PageViewsOfDay', 'The views on one day.', {
              day: z.iso.date().meta({
                description: 'The day, in UTC.',
                maxLength: 10,
                examples: ['2026-01-31'],
              }),
              views: countField('The number of views.', 12),
            }),
          )
          .meta({ description: 'The days, oldest first.', maxItems: LIMITS.pageViewDays }),
        listed_from: timeField(
          'When search engines may start to list the page of a new account; null if they already may',
          '2026-02-07T09:30:00.000Z',
        ).nullable(),
      }),
      failure: 'The views could not be fetched.',
    },
  }),
  ...defineOwnerEndpoints('page', QUERY_DEFAULTS, {
    previewPage: {
      method: 'POST',
      summary: 'Preview the page with a change',
      description:
        'Returns the page as it would look after a change of the site. Nothing is stored.',
      body: UpdateSiteConfigurationRequest,
      response: resultSchema('A preview of the page.', {
        html: z.string().meta({
          description:
            'The HTML document, with its style sheet and without scripts. Show it in a sandboxed frame without scripts.',
          examples: ['<!doctype html><html lang="en"></html>'],
        }),
        colors: objectSchema(
          'PageColors',
          'The colors of the page in light and dark mode. Colors are adjusted where text would be hard to read.',
          { light: ShownColors, dark: ShownColors },
        ),
      }),
      failure: 'The preview could not be created.',
      refusals: { clubThemeOff: SITE_CHANGE_REFUSALS.clubThemeOff },
      readOnly: true,
      readOnlyFields: ['themes'],
      scope: 'read',
    },
  }),
  ...pageImport,
};

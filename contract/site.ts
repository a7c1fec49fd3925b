import { ContractNoBody } from '@ts-rest/core';
import { z } from 'zod';
import { Block, BlockUpdates } from './block.ts';
import { CustomTheme, CustomThemeUpdate } from './custom-theme.ts';
import { defineEndpoints } from './define-endpoints.ts';
import { SITE_DEFAULTS } from './endpoint-defaults.ts';
import { field, objectSchema, resultSchema } from './fields.ts';
import { forField, refusal } from './refusal.ts';
import { success } from './result-fields.ts';
import { formatLimit, LIMITS } from './shared/limits.ts';
import { type SiteField, mapSiteTexts } from './shared/site-fields.ts';
import { isWebUrl } from './shared/web-url.ts';
import { limitedText } from './text.ts';
import { Theme, THEME_IDS, THEMES } from './themes.ts';
import { uuid } from './uuid.ts';

const AVATAR_URL_MESSAGE = `must be an absolute http or https URL without credentials, of at most ${formatLimit(LIMITS.url)} characters.`;

export const UpdateSiteConfigurationRequest = objectSchema(
  'UpdateSiteConfigurationRequest',
  'The site details to change. Omitted fields stay unchanged; null clears a field, except `blocks`; so does an empty string in `avatar_url` and `theme_id`.',
  {
    ...mapSiteTexts(({ max, description, example }) =>
      limitedText(max)
        .nullish()
        .meta({ description, examples: [example] }),
    ),
    avatar_url: limitedText(LIMITS.url, AVATAR_URL_MESSAGE)
      .refine((url) => url === '' || isWebUrl(url), AVATAR_URL_MESSAGE)
      .nullish()
      .meta({
        description:
          'The URL of the avatar image: absolute, http or https, without credentials. An empty string clears it.',
        examples: ['https://example.com/jane.png'],
      }),
    theme_id: field(
      'themeInvalid',
      z
        .enum(
          [...THEME_IDS, ''],
          'must be the id of a preset theme (`availableThemes`) or an empty string.',
        )
        .nullish(),
      `The id of a preset theme. If empty or null, the page uses \`custom_theme\`. Their names, in this order: ${THEMES.map(({ name }) => name).join(', ')}, and the server's own if it is the first of \`availableThemes\`.`,
      THEMES[0].id,
    ),
    custom_theme: CustomThemeUpdate.nullish().meta({
      description:
        'A custom theme, which replaces the stored one as a whole. The page uses it only if no `theme_id` is set.',
    }),
    blocks: BlockUpdates.optional().meta({
      description: `All content blocks in display order; those not in the list are deleted. At most ${LIMITS.blockEntries}: ${LIMITS.blocks} blocks and one with page settings. Together, they have at most ${formatLimit(LIMITS.blocksBytes)} bytes of JSON without ids, and ${formatLimit(LIMITS.blocksMembers)} keys and values. Each has at most ${formatLimit(LIMITS.blockFieldsBytes)} bytes besides \`id\`, \`type\`, \`enabled\`, \`content\` and \`url\`.`,
    }),
  } satisfies Record<SiteField | 'blocks', z.ZodType>,
);
export type UpdateSiteConfigurationRequest = z.infer<typeof UpdateSiteConfigurationRequest>;

export const Site = objectSchema(
  'Site',
  'The details of the site. Fields that were never set are null.',
  {
    ...mapSiteTexts(({ max, description, example }) =>
      z
        .string()
        .nullable()
        .meta({ description, maxLength: max, examples: [example] }),
    ),
    avatar_url: z
      .string()
      .nullable()
      .meta({
        description: 'URL of the avatar image.',
        maxLength: LIMITS.url,
        examples: ['https://example.com/jane.png'],
      }),
    custom_theme: CustomTheme.nullable().meta({
      description: 'The custom theme, which the page uses while `theme_id` is null.',
    }),
    theme_id: uuid()
      .nullable()
      .meta({ description: 'The id of the selected preset theme.', examples: [THEMES[0].id] }),
    themes: Theme.nullable().meta({ description: 'The selected preset theme.' }),
  } satisfies Record<SiteField | 'themes', z.ZodType>,
);
/** What the owner writes. */
export type SiteDetails = Pick<z.infer<typeof Site>, SiteField>;

export const SiteConfigurationResponse = objectSchema(
  'SiteConfigurationResponse',
  'The configuration of the site.',
  {
    site: Site,
    blocks: z
      .array(Block)
      .meta({ description: 'The content blocks in display order.', maxItems: LIMITS.blockEntries }),
    availableThemes: z.array(Theme).meta({
      description: "All preset themes, first the server's own if it has one.",
      maxItems: THEME_IDS.length,
    }),
  },
);
export type SiteConfigurationResponse = z.infer<typeof SiteConfigurationResponse>;

const SiteStatusResponse = objectSchema('SiteStatusResponse', 'The visibility of the site.', {
  enabled: z.boolean().meta({ description: 'Whether the site is publicly visible.' }),
});

export const SITE_UPDATE_REFUSALS = {
  blocksNotSaved: refusal(500, 'The blocks could not be stored.', 'Failed to save content blocks.'),
  blocksNotRemoved: refusal(
    500,
    'The blocks that are not in the list could not be deleted.',
    'Failed to remove old content blocks.',
  ),
};

export const SITE_CHANGE_REFUSALS = {
  ...SITE_UPDATE_REFUSALS,
  clubThemeOff: forField(
    'theme_id',
    refusal(
      400,
      'The theme is that of a server with a design of its own, which this server does not have.',
      'This server has no theme of its own: choose another theme, such as Paper.',
    ),
  ),
};

export const site = defineEndpoints(SITE_DEFAULTS, {
  getSiteConfiguration: {
    method: 'GET',
    path: '/site/get-site-configuration',
    summary: 'Read the site configuration',
    description:
      'Returns the details of the site, its content blocks in display order and all preset themes. To change it, send the fields of `site` and `blocks` side by side to `updateSiteConfiguration`, which accepts them as they are.',
    response: SiteConfigurationResponse,
    failure: 'The site configuration could not be fetched.',
  },
  updateSiteConfiguration: {
    method: 'POST',
    path: '/site/update-site-configuration',
    summary: 'Change the site configuration',
    description:
      'Changes the fields in the request, all or none of them. `blocks` replaces the whole list; `[]` deletes all.',
    body: UpdateSiteConfigurationRequest,
    response: resultSchema('The site was updated.', { success }),
    failure: 'Failed to update site details.',
    idempotent: true,
    readOnlyFields: ['themes'],
    refusals: SITE_CHANGE_REFUSALS,
  },
  getSiteStatus: {
    method: 'GET',
    path: '/site/get-site-status',
    summary: 'Read the visibility',
    description: 'Returns whether the site is publicly visible. A new site is hidden.',
    response: SiteStatusResponse,
    failure: 'The site status could not be fetched.',
  },
  toggleSiteVisibility: {
    method: 'POST',
    path: '/site/toggle-site-visibility',
    summary: 'Toggle the visibility',
    description:
      'Shows a hidden site, or hides one that is visible or for members (`enabled` is false), and returns the new state; a site that an operator hides stays hidden (`newStatus` is false). `POST /owner/page/update-page-visibility` with `{ "visible": true }` sets the state instead, and can be repeated.',
    body: ContractNoBody,
    response: resultSchema('The new visibility of the site.', {
      success,
      newStatus: z.boolean().meta({ description: 'Whether the site is publicly visible now.' }),
    }),
    failure: 'The visibility could not be updated.',
  },
});

import { z } from 'zod';
import { FONT_PAIRS, type FontPairName } from '#contract/shared/fonts.ts';
import { DIRECTORIES, FOCUS_PATTERN, type LegalDocument } from '#contract/shared/instance.ts';
import { LANGUAGES } from '#contract/shared/languages.ts';
import { formatLimit, LIMITS } from '#contract/shared/limits.ts';
import { isWebUrl } from '#contract/shared/web-url.ts';
import { defineOwnerEndpoints } from '../define-endpoints.ts';
import { EMAIL_PATTERN } from '../email.ts';
import { OPERATOR_DEFAULTS } from '../endpoint-defaults.ts';
import {
  enumParam,
  field,
  nullableTextField,
  objectSchema,
  resultSchema,
  textField,
} from '../fields.ts';
import { picture, pictureUnknown } from '../picture-field.ts';
import { forField, refusal } from '../refusal.ts';
import { limitedText, NOT_BLANK_PATTERN, oneLine, matchingText } from '../text.ts';
import { HEX_COLOR_PATTERN } from '../themes.ts';

const CONTACT_MESSAGE = 'must be an email address or an https URL.';
const LINK_MESSAGE = 'must be an https URL.';

function link<const Code extends string>(code: Code, description: string) {
  return field(
    code,
    limitedText(LIMITS.url, LINK_MESSAGE).refine(isHttpsUrl, LINK_MESSAGE).nullable(),
    description,
    'https://example.com/about',
  );
}

function markdown(max: number) {
  const message = `must be 1 to ${formatLimit(max)} characters of Markdown.`;
  return limitedText(max, message).regex(new RegExp(NOT_BLANK_PATTERN), message).nullable();
}

function legalText<const Code extends string>(code: Code, name: LegalDocument, title: string) {
  return field(
    code,
    markdown(LIMITS.legalText),
    `The ${title} in Markdown, with headings. The server shows it at \`/${name}\`, and all links lead there instead of to \`${name}_url\`.`,
    'Skerry Sailing Club, Harbor Street 1, 12345 Skerry',
  );
}

/** Null, in every field, means the default look. */
const FIELDS = {
  name: field(
    'nameInvalid',
    oneLine(LIMITS.instanceName).nullable(),
    'The name shown instead of “Nameplate”.',
    'Skerry Sailing Club',
  ),
  line: field(
    'lineInvalid',
    oneLine(LIMITS.instanceLine).nullable(),
    'One line about the installation, for the front page and the end of mails.',
    'A harbor, 480 sailors, and a page for each of us.',
  ),
  color: field(
    'colorInvalid',
    matchingText(HEX_COLOR_PATTERN, 'must be a hex color of the form #RRGGBB.')
      .nullable()
      .meta({ maxLength: 7 }),
    'The color of the plate, links, charts and icons, #RRGGBB. Where it would be hard to read, they use a darker or lighter shade.',
    '#1f5b96',
  ),
  logo_url: picture('logoInvalid', 'The logo.', '512 pixels'),
  dark_logo_url: picture('darkLogoInvalid', 'The logo for dark backgrounds.', '512 pixels'),
  cover_url: picture(
    'coverInvalid',
    'The wide picture at the top of the front page.',
    `${LIMITS.pictureWidth} pixels in width`,
  ),
  cover_description: field(
    'coverDescriptionInvalid',
    oneLine(LIMITS.instanceCoverDescription).nullable(),
    'What the cover shows, for people who do not see it.',
    'The harbor at dusk',
  ),
  cover_focus: field(
    'coverFocusInvalid',
    matchingText(FOCUS_PATTERN, 'must be two percentages of the form 50% 40%.')
      .nullable()
      .meta({ maxLength: 9 }),
    'The point of the cover that stays in view where it is cropped, from the left and the top. Null is the center.',
    '50% 40%',
  ),
  theme_fonts: field(
    'themeFontsInvalid',
    enumParam(Object.keys(FONT_PAIRS) as FontPairName[]).nullable(),
    'The fonts of a theme that members can choose for their pages: the default theme with these fonts, the color and the cover. Pages with it follow every change. Null means there is no such theme, and they look like the default theme.',
    'lora',
  ),
  contact: field(
    'contactInvalid',
    limitedText(LIMITS.url, CONTACT_MESSAGE)
      .refine((text) => EMAIL_PATTERN.test(text) || isHttpsUrl(text), CONTACT_MESSAGE)
      .nullable(),
    'How to reach the operators: an email address or an https URL.',
    'office@club.example',
  ),
  imprint_url: link('imprintUrlInvalid', 'The https URL of the imprint.'),
  privacy_url: link('privacyUrlInvalid', 'The https URL of the privacy policy.'),
  terms_url: link('termsUrlInvalid', 'The https URL of the terms.'),
  imprint: legalText('imprintInvalid', 'imprint', 'imprint'),
  privacy: legalText('privacyInvalid', 'privacy', 'privacy policy'),
  terms: legalText('termsInvalid', 'terms', 'terms'),
  welcome: field(
    'welcomeInvalid',
    markdown(LIMITS.instanceWelcome),
    'A text for the front page, in Markdown, with headings.',
    '**Welcome** to our club.',
  ),
  directory: field(
    'directoryInvalid',
    enumParam(DIRECTORIES),
    'Who sees the list of members at `/members`: nobody, members who are signed in, or everybody. Hidden pages are never listed.',
    'members',
  ),
  our_page: field(
    'ourPageInvalid',
    limitedText(LIMITS.displayNameMax, 'must be the display name of a member.').nullable(),
    'The display name of the account whose page is that of the club, school or company. While its owner shows it on the front page, its dates and links stand there.',
    'skerry-sailing',
  ),
};

const Instance = z
  .object({
    ...FIELDS,
    name: nullableTextField(
      FIELDS.name.description ?? '',
      LIMITS.instanceName,
      'Skerry Sailing Club',
    ),
    line: nullableTextField(
      FIELDS.line.description ?? '',
      LIMITS.instanceLine,
      'A harbor, 480 sailors, and a page for each of us.',
    ),
  })
  .meta({ id: 'Instance', description: 'How the installation presents itself.' });

const InstanceResponse = objectSchema('InstanceResponse', 'The identity of the installation.', {
  instance: Instance,
});

const draft = (description: string) =>
  textField(description, LIMITS.legalText, '## Contact\n\n[Name and address of the club]');

export const UpdateInstanceRequest = z.object(FIELDS).partial().meta({
  id: 'UpdateInstanceRequest',
  description: 'The fields to change. Null restores the default. Absent fields stay as they are.',
});
export type UpdateInstanceRequest = z.infer<typeof UpdateInstanceRequest>;

export const INSTANCE_REFUSALS = {
  logoNotFound: pictureUnknown('logo_url'),
  darkLogoNotFound: pictureUnknown('dark_logo_url'),
  coverNotFound: pictureUnknown('cover_url'),
  ourPageNotFound: forField(
    'our_page',
    refusal(
      404,
      'No member has this name, or their page is not on the front page.',
      'The page of @{name} is not on the front page. Ask its owner to publish it, and to turn on “Front page and list of members” under Settings.',
      { name: 'rowing-club' },
    ),
  ),
};

export const instance = defineOwnerEndpoints('server', OPERATOR_DEFAULTS, {
  getInstance: {
    method: 'GET',
    summary: 'Get the identity of the installation',
    description:
      'For operators. Returns name, line, logo, cover, color, fonts, contact, links, legal texts, welcome text and own page. Null means the default.',
    response: InstanceResponse,
    failure: 'The identity could not be fetched.',
  },
  getLegalDrafts: {
    method: 'GET',
    summary: 'Get drafts of the legal texts',
    description:
      'For operators. Returns drafts of an imprint, a privacy policy and terms, with what this server stores and for how long; replace the placeholders in brackets. The drafts are not legal advice.',
    query: {
      language: field(
        'languageInvalid',
        enumParam(LANGUAGES).optional(),
        'The language of the drafts. Default: that of the account.',
        'de',
      ),
    },
    response: resultSchema('Drafts in Markdown.', {
      imprint: draft('The imprint.'),
      privacy: draft('The privacy policy.'),
      terms: draft('The terms.'),
    }),
    failure: 'The drafts could not be written.',
  },
  updateInstance: {
    method: 'POST',
    summary: 'Change the identity of the installation',
    description:
      'For operators. Front page, sign-in, mails, page footers and preview cards follow within seconds.',
    body: UpdateInstanceRequest,
    response: InstanceResponse,
    recentLogin: true,
    failure: 'The identity could not be changed.',
    idempotent: true,
    refusals: INSTANCE_REFUSALS,
  },
});

function isHttpsUrl(text: string): boolean {
  return /^https:/i.test(text) && isWebUrl(text);
}

import { z } from 'zod';
import { LANGUAGE_MESSAGE } from './account.ts';
import { defineEndpoints } from '../define-endpoints.ts';
import { EMAIL_PATTERN } from '../email.ts';
import { OPERATOR_DEFAULTS } from '../endpoint-defaults.ts';
import { LANGUAGES } from '#contract/shared/languages.ts';
import type { LegalDocument } from '#contract/shared/instance.ts';
import { formatLimit, LIMITS } from '#contract/shared/limits.ts';
import { RECENT_LOGIN_REFUSALS } from '../recent-login.ts';
import { forField, invalidField, refusal } from '../refusal.ts';
import { limitedText, NOT_BLANK_PATTERN, oneLine } from '../text.ts';
import { HEX_COLOR_PATTERN } from '../themes.ts';
import { isWebUrl } from '#contract/shared/web-url.ts';
import { objectSchema, textField } from '../fields.ts';

const NAME_MESSAGE = `name must be one line of 1 to ${LIMITS.instanceName} characters, or null.`;
const LINE_MESSAGE = `line must be one line of 1 to ${LIMITS.instanceLine} characters, or null.`;
const COLOR_MESSAGE = 'color must be a hex color of the form #RRGGBB, or null.';
const CONTACT_MESSAGE = 'contact must be an email address, an https URL, or null.';
const WELCOME_MESSAGE = `welcome must be 1 to ${formatLimit(LIMITS.instanceWelcome)} characters of Markdown, or null.`;
const textMessage = (field: string) =>
  `${field} must be 1 to ${formatLimit(LIMITS.legalText)} characters of Markdown, or null.`;
const linkMessage = (field: string) => `${field} must be an https URL, or null.`;
const logoMessage = (field: string) =>
  `${field} must be the URL of one of your uploaded pictures, the present ${field}, or null.`;

function link(field: string, description: string) {
  const message = linkMessage(field);
  return limitedText(LIMITS.url, message)
    .refine(isHttpsUrl, message)
    .nullable()
    .meta({ description, examples: ['https://example.com/about'] });
}

function legalText(field: LegalDocument, title: string) {
  const message = textMessage(field);
  return limitedText(LIMITS.legalText, message)
    .regex(new RegExp(NOT_BLANK_PATTERN), message)
    .nullable()
    .meta({
      description: `The ${title} in Markdown, with headings. The server shows it at \`/${field}\`, and all links lead there instead of to \`${field}_url\`.`,
      examples: ['Skerry Sailing Club, Harbor Street 1, 12345 Skerry'],
    });
}

function logo(field: string, description: string) {
  return limitedText(LIMITS.url, logoMessage(field))
    .nullable()
    .meta({
      description: `${description} In a request, the URL of a picture that you uploaded (at \`/owner/pictures/upload\`) or the present URL. The server keeps a copy of at most 512 pixels.`,
      examples: ['https://example.com/instance/VYl0tjXyQ2C8mHn4sRbA1f-512x512.webp'],
    });
}

/** Null, in every field, means the default look. */
const FIELDS = {
  name: oneLine(LIMITS.instanceName, NAME_MESSAGE)
    .nullable()
    .meta({ description: 'The name shown instead of “Nameplate”.', examples: ['Sailing Club'] }),
  line: oneLine(LIMITS.instanceLine, LINE_MESSAGE)
    .nullable()
    .meta({
      description: 'One line about the installation, for the front page and the end of mails.',
      examples: ['A harbor, 480 sailors, and a page for each of us.'],
    }),
  color: z
    .string(COLOR_MESSAGE)
    .regex(HEX_COLOR_PATTERN, COLOR_MESSAGE)
    .nullable()
    .meta({
      description:
        'The color of the plate, #RRGGBB. If white text on it has a contrast of less than 4.5:1, the plate uses a darker shade.',
      maxLength: 7,
      examples: ['#1f5b96'],
    }),
  logo_url: logo('logo_url', 'The logo.'),
  dark_logo_url: logo('dark_logo_url', 'The logo for dark backgrounds.'),
  contact: limitedText(LIMITS.url, CONTACT_MESSAGE)
    .refine((text) => EMAIL_PATTERN.test(text) || isHttpsUrl(text), CONTACT_MESSAGE)
    .nullable()
    .meta({
      description: 'How to reach the operators: an email address or an https URL.',
      examples: ['office@example.com'],
    }),
  imprint_url: link('imprint_url', 'The https URL of the imprint.'),
  privacy_url: link('privacy_url', 'The https URL of the privacy policy.'),
  terms_url: link('terms_url', 'The https URL of the terms.'),
  imprint: legalText('imprint', 'imprint'),
  privacy: legalText('privacy', 'privacy policy'),
  terms: legalText('terms', 'terms'),
  welcome: limitedText(LIMITS.instanceWelcome, WELCOME_MESSAGE)
    .regex(new RegExp(NOT_BLANK_PATTERN), WELCOME_MESSAGE)
    .nullable()
    .meta({
      description: 'A text for the front page, in Markdown, with headings.',
      examples: ['**Welcome** to our club.'],
    }),
};

const Instance = z
  .object(FIELDS)
  .meta({ id: 'Instance', description: 'How the installation presents itself.' });

const InstanceResponse = objectSchema('InstanceResponse', 'The identity of the installation.', {
  instance: Instance,
});

const draft = (description: string) =>
  textField(description, LIMITS.legalText, '## Contact\n\n[Name and address of the club]');

const LegalDraftsResponse = objectSchema('LegalDraftsResponse', 'Drafts in Markdown.', {
  imprint: draft('The imprint.'),
  privacy: draft('The privacy policy.'),
  terms: draft('The terms.'),
});

export const InstanceUpdate = z.object(FIELDS).partial().meta({
  id: 'UpdateInstanceRequest',
  description: 'The fields to change. Null restores the default. Absent fields stay as they are.',
});
export type InstanceUpdate = z.infer<typeof InstanceUpdate>;

const linkInvalid = (field: string) =>
  invalidField(field, 'The URL is not valid.', linkMessage(field));
const logoInvalid = (field: string) =>
  invalidField(field, 'The URL is not valid.', logoMessage(field));
const textInvalid = (field: string) =>
  invalidField(field, 'The text is not valid.', textMessage(field));
const pictureUnknown = (field: string) =>
  forField(
    field,
    refusal(404, 'The account has no picture with this URL.', 'You have no such picture.'),
  );

export const INSTANCE_REFUSALS = {
  logoNotFound: pictureUnknown('logo_url'),
  darkLogoNotFound: pictureUnknown('dark_logo_url'),
};

export const operatorInstance = defineEndpoints(OPERATOR_DEFAULTS, {
  getInstance: {
    method: 'GET',
    path: '/owner/operator/get-instance',
    summary: 'Get the identity of the installation',
    description:
      'For operators. Returns name, line, logo, color, contact, links, legal texts and welcome text. Null means the default.',
    responses: { 200: InstanceResponse },
    metadata: { failure: 'The identity could not be fetched.' },
  },
  getLegalDrafts: {
    method: 'GET',
    path: '/owner/operator/get-legal-drafts',
    summary: 'Get drafts of the legal texts',
    description:
      'For operators. Returns drafts of an imprint, a privacy policy and terms. They state what this server stores and for how long, according to its settings. Replace the placeholders in brackets. The drafts are not legal advice.',
    query: z.object({
      language: z
        .enum(LANGUAGES, LANGUAGE_MESSAGE)
        .optional()
        .meta({
          description: 'The language of the drafts. Default: that of the account.',
          examples: ['de'],
        }),
    }),
    responses: { 200: LegalDraftsResponse },
    metadata: {
      failure: 'The drafts could not be written.',
      refusals: {
        languageInvalid: invalidField('language', 'The language is not valid.', LANGUAGE_MESSAGE),
      },
    },
  },
  updateInstance: {
    method: 'POST',
    path: '/owner/operator/update-instance',
    summary: 'Change the identity of the installation',
    description:
      'For operators. A session needs a login within the last 60 minutes. Front page, sign-in, mails, page footers and preview cards follow within seconds.',
    body: InstanceUpdate,
    responses: { 200: InstanceResponse },
    metadata: {
      failure: 'The identity could not be changed.',
      idempotent: true,
      refusals: {
        ...RECENT_LOGIN_REFUSALS,
        nameInvalid: invalidField('name', 'The name is not valid.', NAME_MESSAGE),
        lineInvalid: invalidField('line', 'The line is not valid.', LINE_MESSAGE),
        colorInvalid: invalidField('color', 'The color is not valid.', COLOR_MESSAGE),
        logoInvalid: logoInvalid('logo_url'),
        darkLogoInvalid: logoInvalid('dark_logo_url'),
        contactInvalid: invalidField('contact', 'The contact is not valid.', CONTACT_MESSAGE),
        imprintUrlInvalid: linkInvalid('imprint_url'),
        privacyUrlInvalid: linkInvalid('privacy_url'),
        termsUrlInvalid: linkInvalid('terms_url'),
        imprintInvalid: textInvalid('imprint'),
        privacyInvalid: textInvalid('privacy'),
        termsInvalid: textInvalid('terms'),
        welcomeInvalid: invalidField('welcome', 'The text is not valid.', WELCOME_MESSAGE),
        ...INSTANCE_REFUSALS,
      },
    },
  },
});

function isHttpsUrl(text: string): boolean {
  return /^https:/i.test(text) && isWebUrl(text);
}

import { z } from 'zod';
import { LIMITS } from '#contract/shared/limits.ts';
import { defineOwnerEndpoints } from '../define-endpoints.ts';
import { AUTHENTICATED_DEFAULTS } from '../endpoint-defaults.ts';
import { CLIENT_ID, EXAMPLE_TIME } from '../examples.ts';
import {
  booleanField,
  field,
  idField,
  nullableTextField,
  objectSchema,
  resultSchema,
  textField,
  timeField,
} from '../fields.ts';
import { notFound } from '../refusal.ts';
import { SuccessResponse } from '../result-fields.ts';
import { limitedText } from '../text.ts';

export const clientId = textField(
  'The id of the website or app. It is not a secret.',
  500,
  CLIENT_ID,
);

export const ownClientId = (message: string) =>
  field(
    'clientIdInvalid',
    limitedText(500, message).min(1, message),
    'The id of the website or app.',
    CLIENT_ID,
  );

const Grant = objectSchema('Grant', 'What the account allowed a website or an app.', {
  id: idField('The id of the grant.', '0f7d3f6e-52a1-4f8e-9a57-5d3a1f6b2c90'),
  client_id: clientId,
  client_name: textField(
    'The name of the website or app. Unless an operator added it, the app chose the name.',
    LIMITS.keyLabel,
    'Club wiki',
  ),
  client_kind: z.enum(['website', 'program', 'registered', 'document']).meta({
    description:
      'Who added it. `website` and `program`: an operator. `registered`: the app itself. `document`: the app describes itself at the address that is its id.',
    examples: ['website'],
  }),
  client_logo_url: nullableTextField(
    'The logo that an operator chose for the website, or null.',
    LIMITS.url,
    'https://club.example/instance/VYl0tjXyQ2C8mHn4sRbA1f-512x512.webp',
  ),
  client_host: nullableTextField(
    'The host of the website or app. Null if it is a program on a computer.',
    253,
    'wiki.example.org',
  ),
  scopes: z.array(z.string()).meta({
    description:
      'What it may do. Of websites, what it gets to know: `profile`, `email`, `groups`. Of apps: `read`, with it `page` and `metrics`, or `all`, with it `operator`.',
    examples: [['openid', 'profile', 'email']],
  }),
  created_at: timeField('When the account allowed it', EXAMPLE_TIME),
  last_used_at: timeField(
    'When it last used that, to the minute; null if never',
    '2026-02-01T10:12:00.000Z',
  ).nullable(),
  in_use: booleanField(
    'Whether the browser is still signed in at the website, or the app still has a token.',
    true,
  ),
});

export const grants = defineOwnerEndpoints('grants', AUTHENTICATED_DEFAULTS, {
  listGrants: {
    method: 'GET',
    summary: 'List the connected apps',
    description:
      'Returns what the account allowed websites, which people sign in to with this server, and AI clients that connected with OAuth. Each computer or browser has a grant of its own.',
    response: resultSchema('The grants of the account.', {
      grants: z.array(Grant).meta({ description: 'The grants, by the name of the app.' }),
    }),
    listField: 'grants',
    untrustedFields: ['client_name'],
    failure: 'The connected apps could not be fetched.',
  },
  revokeGrant: {
    method: 'POST',
    summary: 'Remove a connected app',
    description:
      'Ends all grants of the account for a website or app. An AI client stops working at once; a website signs the member out if it supports back-channel logout.',
    body: { client_id: ownClientId('must be the id of one of your connected apps.') },
    response: SuccessResponse,
    failure: 'The app could not be removed.',
    destructive: true,
    idempotent: true,
    refusals: { clientNotFound: notFound('client') },
  },
});

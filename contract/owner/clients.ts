import { ContractNoBody } from '@ts-rest/core';
import { z } from 'zod';
import { CHECKED_KINDS, SOFTWARE_NAMES } from '#contract/shared/clients.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import { defineOwnerEndpoints } from '../define-endpoints.ts';
import { OPERATOR_DEFAULTS } from '../endpoint-defaults.ts';
import { EXAMPLE_TIME, PICTURE_URL } from '../examples.ts';
import {
  booleanField,
  booleanParam,
  countField,
  enumParam,
  field,
  listParam,
  nullableTextField,
  objectSchema,
  resultSchema,
  textField,
  timeField,
} from '../fields.ts';
import { picture, pictureUnknown } from '../picture-field.ts';
import { forField, refusal } from '../refusal.ts';
import { SuccessResponse } from '../result-fields.ts';
import { limitedText, oneLine } from '../text.ts';
import { uuid } from '../uuid.ts';
import { clientId, ownClientId } from './grants.ts';

const ADDRESS_MESSAGE = 'must be an https address, or http on this computer, without a fragment.';

const address = limitedText(LIMITS.url, ADDRESS_MESSAGE);

const ALLOWED = ['everybody', 'groups', 'operators'] as const;

const redirectUris = (description: string) =>
  z.array(z.string()).meta({ description, examples: [['https://wiki.example.org/callback']] });

const Client = objectSchema('Client', 'A website or an app that an operator added.', {
  id: clientId,
  kind: z.enum(CHECKED_KINDS).meta({
    description: '`website`: people sign in to it. `program`: an AI client.',
    examples: ['website'],
  }),
  name: textField('The name that members read.', LIMITS.keyLabel, 'Club wiki'),
  software: z.enum(SOFTWARE_NAMES).meta({
    description: 'The software of the website, for the settings that it needs.',
    examples: ['other'],
  }),
  address: nullableTextField('The address of the website.', LIMITS.url, 'https://wiki.example.org'),
  logo_url: nullableTextField(
    'The logo of the website, or null.',
    LIMITS.url,
    'https://club.example/instance/VYl0tjXyQ2C8mHn4sRbA1f-512x512.webp',
  ),
  redirect_uris: redirectUris('Where people may be sent after the sign-in, exactly.'),
  post_logout_redirect_uris: redirectUris('Where people may be sent after they signed out.'),
  backchannel_logout_uri: nullableTextField(
    'The URL that this server calls when a member signs out (back-channel logout), or null.',
    LIMITS.url,
    'https://wiki.example.org/logout',
  ),
  has_secret: booleanField('Whether it has a secret.', true),
  requires_pkce: booleanField('Whether a sign-in without PKCE is refused.', true),
  asks_consent: booleanField('Whether people are asked before the first sign-in.', true),
  allowed: z.enum(ALLOWED).meta({ description: 'Who may use it.', examples: ['everybody'] }),
  allowed_groups: z.array(uuid()).meta({
    description: 'If `allowed` is `groups`: ids of the groups whose members may use it.',
    examples: [[]],
  }),
  shared_groups: z.array(uuid()).meta({
    description: 'Ids of the groups that it sees in the claim `groups`.',
    examples: [[]],
  }),
  people: countField('How many members allowed it something.', 12),
  created_at: timeField('When it was added', EXAMPLE_TIME),
  last_used_at: timeField(
    'When somebody last used it, to the minute; null if never',
    '2026-02-01T10:12:00.000Z',
  ).nullable(),
  logout_failed_at: timeField(
    'When back-channel logout failed; null if the last call succeeded',
    '2026-02-01T10:12:00.000Z',
  ).nullable(),
  logout_error: nullableTextField('Why, as a code, or null.', 200, 'ECONNREFUSED'),
});

const changes = {
  name: field('nameInvalid', oneLine(LIMITS.keyLabel), 'The name that members read.', 'Club wiki'),
  address: field(
    'addressInvalid',
    address.nullable(),
    'The address of the website.',
    'https://wiki.example.org',
  ),
  logo_url: picture('logoInvalid', 'The logo of the website.', '512 pixels', PICTURE_URL),
  redirect_uris: field(
    'redirectUrisInvalid',
    listParam(address, 1, LIMITS.redirectUris, 'addresses'),
    'Where people may be sent after the sign-in, exactly.',
    ['https://wiki.example.org/callback'],
  ),
  post_logout_redirect_uris: field(
    'postLogoutRedirectUrisInvalid',
    listParam(address, 0, LIMITS.redirectUris, 'addresses'),
    'Where people may be sent after they signed out, exactly.',
    ['https://wiki.example.org/'],
  ),
  backchannel_logout_uri: field(
    'backchannelLogoutUriInvalid',
    address.nullable(),
    'The URL that this server calls when a member signs out (back-channel logout).',
    'https://wiki.example.org/logout',
  ),
  requires_pkce: field(
    'requiresPkceInvalid',
    booleanParam(),
    'Whether a sign-in without PKCE is refused. Turn it off for programs that do not support it.',
    true,
  ),
  asks_consent: field(
    'asksConsentInvalid',
    booleanParam(),
    'Whether people are asked before the first sign-in.',
    true,
  ),
  allowed: field('allowedInvalid', enumParam(ALLOWED), 'Who may use it.', 'everybody'),
  allowed_groups: field(
    'allowedGroupsInvalid',
    listParam(uuid(), 0, LIMITS.memberGroups, 'ids of groups'),
    'If `allowed` is `groups`: ids of the groups whose members may use it, at least one.',
    [],
  ),
  shared_groups: field(
    'sharedGroupsInvalid',
    listParam(uuid(), 0, LIMITS.memberGroups, 'ids of groups'),
    'Ids of the groups that it sees in the claim `groups`, at most 50 and 2 kB of a member. It always sees `operators`.',
    [],
  ),
};

/** Addresses and logos that a website cannot have. */
export const CLIENT_REFUSALS = {
  logoNotFound: pictureUnknown('logo_url'),
  addressUnusable: forField(
    'address',
    refusal(
      400,
      'The address is not https, or http on this computer, or too long.',
      'address must be an https address, or http on this computer, without a fragment, and not too long.',
    ),
  ),
  redirectUriUnusable: forField(
    'redirect_uris',
    refusal(
      400,
      'An address is not https, http on this computer, or (for programs) a scheme of the app.',
      'redirect_uris must be https, or http on this computer, without a fragment. Not usable: {uri}',
      { uri: 'http://wiki.example.org/callback' },
    ),
  ),
  redirectUrisMissing: forField(
    'redirect_uris',
    refusal(
      400,
      'Neither the software nor the address says where people are sent.',
      'redirect_uris is required, because it does not follow from the software.',
    ),
  ),
  groupNotFound: refusal(
    404,
    'There is no group with one of the ids, or it is deleted.',
    'There is no such group.',
  ),
  allowedGroupsMissing: forField(
    'allowed',
    refusal(
      400,
      'Only members of groups may use it, but no group is named.',
      'Choose at least one group whose members may use it.',
    ),
  ),
  logoutUriUnusable: forField(
    'backchannel_logout_uri',
    refusal(
      400,
      'The address is neither http nor https.',
      'backchannel_logout_uri must be an http or https address.',
    ),
  ),
};

const clientNotFound = forField(
  'client_id',
  refusal(404, 'There is no website or app with this id.', 'There is no such website or app.'),
);

const encryptionKeyMissing = refusal(
  409,
  'The server has no encryption key (`ENCRYPTION_KEY`).',
  'The key cannot be stored. Set ENCRYPTION_KEY first.',
);

const client_id = ownClientId('must be the id of a website or app.');

export const clients = defineOwnerEndpoints('clients', OPERATOR_DEFAULTS, {
  listClients: {
    method: 'GET',
    summary: 'List the websites',
    description: 'Returns the websites and apps that operators added, by name.',
    response: resultSchema('The websites and apps.', {
      clients: z.array(Client).meta({ description: 'The websites and apps, by name.' }),
      issuer: nullableTextField(
        'The issuer URL to enter in websites. Null if sign-in for websites is not set up: it needs `PUBLIC_URL` with https and, if `DATABASE_URL` is set, `ENCRYPTION_KEY`.',
        LIMITS.url,
        'https://club.example',
      ),
    }),
    listField: 'clients',
    failure: 'The websites could not be fetched.',
  },
  getClient: {
    method: 'GET',
    summary: 'Read a website',
    description: 'Returns a website or app that an operator added, without its secret.',
    query: { client_id },
    response: resultSchema('The website or app.', { client: Client }),
    failure: 'The website could not be fetched.',
    refusals: { clientNotFound },
  },
  createClient: {
    method: 'POST',
    summary: 'Add a website',
    description:
      'Adds a website to which members can sign in with this server, or an AI client, and returns the secret of a website, this time only. Addresses that are not sent, and `requires_pkce`, follow from `software` and `address`, except the redirect address of `other` and `wikijs`.',
    body: {
      kind: field(
        'kindInvalid',
        enumParam(CHECKED_KINDS).default('website'),
        'What it is.',
        'website',
      ),
      software: field(
        'softwareInvalid',
        enumParam(SOFTWARE_NAMES).default('other'),
        'The software of the website.',
        'other',
      ),
      ...changes,
      address: changes.address.optional(),
      logo_url: changes.logo_url.optional(),
      redirect_uris: changes.redirect_uris.optional(),
      post_logout_redirect_uris: changes.post_logout_redirect_uris.optional(),
      backchannel_logout_uri: changes.backchannel_logout_uri.optional(),
      requires_pkce: changes.requires_pkce.optional(),
      asks_consent: changes.asks_consent.default(true),
      allowed: changes.allowed.default('everybody'),
      allowed_groups: changes.allowed_groups.default([]),
      shared_groups: changes.shared_groups.default([]),
    },
    response: resultSchema('The website or app, and its secret.', {
      client: Client,
      client_secret: nullableTextField(
        'The secret. Store it: it cannot be read again. Null for a program, and if a request is repeated.',
        43,
        'q5cA0m3dS1Jd8Wb0m4l8c2hG1wQ4pX9o7eRtYuIoPzA',
      ),
    }),
    recentLogin: true,
    failure: 'The website could not be added.',
    secretField: 'client_secret',
    refusals: {
      ...CLIENT_REFUSALS,
      clientLimitReached: refusal(
        400,
        `There are ${LIMITS.clients} websites and apps already.`,
        'This server has reached its limit of {limit} websites. Delete one first.',
        { limit: LIMITS.clients },
      ),
    },
  },
  updateClient: {
    method: 'POST',
    summary: 'Change a website',
    description:
      'Changes the fields that are sent; with `address`, also other addresses that followed from the old one. Members who are signed in at the website stay signed in.',
    body: z
      .object({ client_id, ...z.object(changes).partial().shape })
      .meta({ id: 'UpdateClientRequest', description: 'The fields to change.' }),
    response: resultSchema('The website or app.', { client: Client }),
    recentLogin: true,
    failure: 'The website could not be changed.',
    idempotent: true,
    refusals: { ...CLIENT_REFUSALS, clientNotFound },
  },
  rotateClientSecret: {
    method: 'POST',
    summary: 'Replace the secret of a website',
    description:
      'Creates a new secret and returns it, this time only. The old one stops working at once.',
    body: { client_id },
    response: resultSchema('The new secret.', {
      client_secret: nullableTextField(
        'The new secret. Null if a request is repeated.',
        43,
        'q5cA0m3dS1Jd8Wb0m4l8c2hG1wQ4pX9o7eRtYuIoPzA',
      ),
    }),
    recentLogin: true,
    failure: 'The secret could not be replaced.',
    secretField: 'client_secret',
    refusals: {
      clientNotFound,
      clientHasNoSecret: refusal(
        400,
        'The client is a program, which cannot keep a secret.',
        'This app has no secret.',
      ),
    },
  },
  rotateSigningKeys: {
    method: 'POST',
    summary: 'Replace the key that signs logins',
    description:
      'Creates a new key, which is published at once and signs after 24 hours, so that all websites know it by then. The old one is published for 30 more days.',
    body: ContractNoBody,
    response: resultSchema('From when the new key signs.', {
      signs_from: timeField('From when the new key signs', '2026-02-01T10:12:00.000Z'),
    }),
    recentLogin: true,
    failure: 'The key could not be replaced.',
    refusals: { encryptionKeyMissing },
  },
  deleteClient: {
    method: 'POST',
    summary: 'Delete a website',
    description:
      'Deletes a website or app and its grants. Members can no longer sign in to it with their account.',
    body: { client_id },
    response: SuccessResponse,
    recentLogin: true,
    failure: 'The website could not be deleted.',
    destructive: true,
    idempotent: true,
    refusals: { clientNotFound },
  },
});

import { z } from 'zod';
import { LIMITS } from '#contract/shared/limits.ts';
import { defineOwnerEndpoints } from '../define-endpoints.ts';
import { OWN_LOGIN_DEFAULTS } from '../endpoint-defaults.ts';
import { EXAMPLE_TIME } from '../examples.ts';
import {
  field,
  idField,
  nullableTextField,
  objectSchema,
  resultSchema,
  timeField,
  textField,
} from '../fields.ts';
import { refusal, notFound } from '../refusal.ts';
import { SuccessResponse } from '../result-fields.ts';
import { uuid } from '../uuid.ts';

const Identity = objectSchema(
  'Identity',
  'A user of an identity provider who can log in to the account.',
  {
    id: idField(
      'The id of the identity. It is not a secret.',
      '3c9a1f0e-7d52-4b1b-9a53-2f0c6b7e8d14',
    ),
    issuer: textField('The issuer URL of the identity provider.', 500, 'https://id.example.org'),
    label: nullableTextField(
      'The name that the identity provider sent when the identity was linked.',
      LIMITS.keyLabel,
      'jane@example.com',
    ),
    created_at: timeField('When the identity was linked', EXAMPLE_TIME),
    last_used_at: timeField('When it was last used to log in', EXAMPLE_TIME).nullable(),
  },
);

/** Linked users of identity providers (single sign-on). */
export const identities = defineOwnerEndpoints('identities', OWN_LOGIN_DEFAULTS, {
  listIdentities: {
    method: 'GET',
    summary: 'List the single sign-on identities',
    description:
      'Returns the single sign-on identities that are linked to the account, oldest first. To link one, use the dashboard.',
    response: resultSchema('The single sign-on logins of the account.', {
      identities: z.array(Identity).meta({
        description: 'The identities, oldest first. At most one per identity provider.',
        maxItems: 20,
      }),
    }),
    listField: 'identities',
    failure: 'The identities could not be fetched.',
  },
  deleteIdentity: {
    method: 'POST',
    summary: 'Unlink a single sign-on identity',
    description:
      'Unlinks an identity and ends the sessions that it started, on all servers within milliseconds.',
    body: {
      identity_id: field(
        'identityIdInvalid',
        uuid('must be the id of one of your identities.'),
        'The id of one of your identities.',
        '3c9a1f0e-7d52-4b1b-9a53-2f0c6b7e8d14',
      ),
    },
    response: SuccessResponse,
    recentLogin: true,
    failure: 'The identity could not be unlinked.',
    destructive: true,
    idempotent: true,
    refusals: {
      identityNotFound: notFound('identity'),
      lastLogin: refusal(
        409,
        'The account has no other way to log in: no passkey, no API key that can log in, and no confirmed address for login links.',
        'This is your only way to log in. Add a passkey or an API key first.',
      ),
    },
  },
});

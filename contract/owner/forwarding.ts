import { z } from 'zod';
import { LIMITS } from '#contract/shared/limits.ts';
import { defineOwnerEndpoints } from '../define-endpoints.ts';
import { AUTHENTICATED_DEFAULTS } from '../endpoint-defaults.ts';
import {
  booleanField,
  booleanParam,
  countField,
  field,
  nullableTextField,
  objectSchema,
  resultSchema,
  textField,
  timeField,
} from '../fields.ts';
import { forField, refusal } from '../refusal.ts';
import { uuid } from '../uuid.ts';
import { accountName, pageTitle } from './members.ts';

export const FORWARDING_STAGES = [
  'settled',
  'waiting',
  'waits for confirmation',
  'waits for the provider',
  'no provider',
] as const;

export const addressId = field(
  'addressIdInvalid',
  uuid('must be the id of a group address.'),
  'The id of the group address.',
  '5d0c7a3e-8a41-4b8f-9a3e-2f1b6c7d8e90',
);

export const ADDRESS_REFUSALS = {
  addressNotFound: forField(
    'address_id',
    refusal(404, 'There is no such group address.', 'There is no such address.'),
  ),
};

const GroupAddress = objectSchema('GroupAddress', 'A group address that names the account.', {
  id: addressId,
  email: textField('The address.', 320, 'board@club.example'),
  state: z.enum(['active', 'stopped', 'unreachable']).meta({
    description:
      '`active`: the account gets its mail. `stopped`: its owner left the group address, with `updateGroupAddress`, and can come back. `unreachable`: the account has no confirmed address.',
    examples: ['active'],
  }),
  readers: z
    .array(
      objectSchema('GroupReader', 'A member or an outside address.', {
        display_name: accountName,
        page_title: pageTitle,
        email: nullableTextField('The outside address, or null.', LIMITS.email, null),
      }),
    )
    .meta({
      description: 'The others who get its mail.',
      maxItems: LIMITS.addressRecipients,
    }),
});

const GroupAddressResponse = objectSchema('GroupAddressResponse', 'The group address.', {
  group_address: GroupAddress,
});

export const forwarding = defineOwnerEndpoints('forwarding', AUTHENTICATED_DEFAULTS, {
  getForwarding: {
    method: 'GET',
    summary: 'Read the email forwarding',
    description:
      'Returns the forwarding setting, its state at the provider, the last error and the time of the next attempt.',
    response: resultSchema('The forwarding setting of the account and its state at the provider.', {
      forwarding_email: nullableTextField(
        'The forwarding address. Null if the account has no display name.',
        320,
        'jane-doe@club.example',
      ),
      available: booleanField(
        'Whether the service forwards mail. Without a forwarding provider it only stores the setting.',
        true,
      ),
      enabled: booleanField(
        'Whether forwarding is turned on, now or when `pending_email` is confirmed.',
        true,
      ),
      email: nullableTextField(
        'The stored destination. It is kept while forwarding is off.',
        LIMITS.email,
        'jane@example.com',
      ),
      confirmed: booleanField(
        'Whether the owner of the destination confirmed it. Login links and notices are sent to confirmed destinations only. Sending an address, or turning forwarding on, starts the confirmation. Null if there is no destination, or the service sends no mail.',
        true,
      ).nullable(),
      login_email: nullableTextField(
        "The address that login links and notices are sent to: the confirmed destination, otherwise the address that the account signed up with. Null if there is none, if the account is an operator and a key without an operator's rights set the address, or if single sign-on no longer lets the member in.",
        LIMITS.email,
        'jane@example.com',
      ),
      pending_email: nullableTextField(
        'A new address that replaces the current one, for login links and for mail, when its owner confirms it. Sending the current address again ends the wait. Null if none waits.',
        LIMITS.email,
        null,
      ),
      pending_expires_at: timeField('When the wait ends, and nothing changes', null).nullable(),
      provider_email: nullableTextField(
        'The destination last reported by the forwarding provider. Null if there was none.',
        LIMITS.email,
        'jane@example.com',
      ),
      stage: z
        .enum(FORWARDING_STAGES)
        .nullable()
        .meta({
          description:
            'Progress of the last change. `settled`: applied by the provider. `waiting`: will be retried. `waits for confirmation`: nothing is forwarded until the destination is confirmed. `waits for the provider`: the provider has not responded yet. `no provider`: this server has no email provider. Null if the name never had forwarding.',
          examples: ['settled'],
        }),
      attempts: countField('The number of failed attempts since the last success.', 0),
      last_error: nullableTextField(
        "The provider's last error. Null after a success.",
        LIMITS.message,
        null,
      ),
      next_try_at: timeField('When the next attempt is due', null).nullable(),
      group_addresses: z.array(GroupAddress).meta({
        description:
          'Group addresses whose mail goes to the confirmed address of the account, whether or not forwarding is on. Operators choose who gets their mail, and each reader can end it.',
        maxItems: LIMITS.addresses,
      }),
    }),
    untrustedFields: 'all',
    failure: 'The forwarding could not be fetched.',
  },
  updateGroupAddress: {
    method: 'POST',
    summary: 'Leave a group address, or get its mail again',
    description:
      'Ends the mail of a group address for the account, or starts it again if an operator made it a recipient. Operators see who ended it.',
    body: {
      address_id: addressId,
      enabled: field('groupEnabledInvalid', booleanParam(), 'Whether to get its mail.', false),
    },
    response: GroupAddressResponse,
    untrustedFields: 'all',
    idempotent: true,
    failure: 'The address could not be changed.',
    refusals: ADDRESS_REFUSALS,
  },
});

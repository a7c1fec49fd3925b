import { z } from 'zod';
import { LIMITS } from '#contract/shared/limits.ts';
import { defineOwnerEndpoints } from '../define-endpoints.ts';
import { emailParam } from '../email.ts';
import { OPERATOR_DEFAULTS } from '../endpoint-defaults.ts';
import { JOE_ID, EXAMPLE_TIME } from '../examples.ts';
import {
  booleanField,
  countField,
  field,
  idField,
  listParam,
  nullableTextField,
  objectSchema,
  resultSchema,
  textField,
  timeField,
} from '../fields.ts';
import { forField, refusal } from '../refusal.ts';
import { EMAIL_DOMAIN_REFUSALS } from '../request-refusals.ts';
import { SuccessResponse } from '../result-fields.ts';
import { refusalsOf } from '../schema-refusals.ts';
import { limitedText } from '../text.ts';
import { uuid } from '../uuid.ts';
import { ADDRESS_REFUSALS, addressId, FORWARDING_STAGES } from './forwarding.ts';
import { GROUP_REFUSALS, READER_REFUSALS } from './groups.ts';
import { accountName, MEMBER_EMAIL_REFUSALS, pageTitle } from './members.ts';

const EXAMPLE_ID = '5d0c7a3e-8a41-4b8f-9a3e-2f1b6c7d8e90';
const EXAMPLE_GROUP_ID = '2c9d7b52-6f0e-4a3d-8b1c-4e5f6a7b8c9d';

const RECIPIENT_STATES = [
  'active',
  'waiting',
  'failed',
  'stopped',
  'suspended',
  'unreachable',
  'left',
] as const;
export type RecipientState = (typeof RECIPIENT_STATES)[number];

const AddressRecipient = objectSchema(
  'AddressRecipient',
  'A member or an outside address that gets the mail of a group address.',
  {
    id: idField('The id of the recipient.', EXAMPLE_ID),
    account_id: idField(
      'The account of the member. Null for an outside address.',
      JOE_ID,
    ).nullable(),
    display_name: accountName,
    page_title: pageTitle,
    email: nullableTextField(
      'The outside address, or the confirmed address of the member, which follows a change. Null if there is none.',
      LIMITS.email,
      'joe@example.com',
    ),
    state: z.enum(RECIPIENT_STATES).meta({
      description:
        '`active`: gets the mail. `waiting`: the outside address was asked and has not confirmed. `failed`: its mail server refused the mail that asks. `stopped`: the reader left the group address, and can come back. `suspended`: an operator suspended the account. `unreachable`: the member has no confirmed address. `left`: the account of the member was deleted; the recipient is removed with the next change of the group address.',
      examples: ['active'],
    }),
    by_hand: booleanField('Whether an operator entered the recipient.', true),
    by_group: booleanField('Whether the recipient is a member of the group of the address.', false),
    asked_at: timeField(
      'When the last mail asked the outside address to confirm, or null',
      EXAMPLE_TIME,
    ).nullable(),
  },
);

const Address = objectSchema('Address', 'A group address.', {
  id: idField('The id of the group address.', EXAMPLE_ID),
  name: textField('The part before the @.', LIMITS.displayNameMax, 'board'),
  email: textField('The whole address.', 320, 'board@club.example'),
  group_id: idField(
    'The group whose members read it, too. Null if there is none.',
    EXAMPLE_GROUP_ID,
  ).nullable(),
  recipients: z.array(AddressRecipient).meta({
    description: 'Who gets its mail, in the order in which they were added.',
    maxItems: LIMITS.addressRecipients,
  }),
  stage: z.enum(FORWARDING_STAGES).meta({
    description:
      'Progress of the last change at the provider, as in `getForwarding`. Without an active recipient, the address is off.',
    examples: ['settled'],
  }),
  last_error: nullableTextField(
    "The provider's last error. Null after a success.",
    LIMITS.message,
    null,
  ),
  next_try_at: timeField('When the next attempt is due, or null', null).nullable(),
  created_at: timeField('When it was created', EXAMPLE_TIME),
});

const RECIPIENT_MESSAGE = 'must have the account_id of a member or an email.';

const recipientList = listParam(
  objectSchema(
    'NewAddressRecipient',
    'A member or an outside address.',
    {
      account_id: uuid()
        .nullish()
        .meta({ description: 'The account of a member.', examples: [JOE_ID] }),
      email: emailParam.nullish().meta({
        description: 'An outside address, or the address of a member at this server.',
        examples: ['harbor@example.com'],
      }),
    },
    RECIPIENT_MESSAGE,
  ).refine(({ account_id, email }) => Boolean(account_id ?? email), RECIPIENT_MESSAGE),
  0,
  LIMITS.addressRecipients,
  'recipients',
);

const recipients = field(
  'recipientsInvalid',
  recipientList,
  'Everyone who gets the mail: members by `account_id` or by their address at this server, others by `email`. Beside an `account_id`, `email` is ignored. An outside address is asked by mail first. Without recipients, the address is off.',
  [{ account_id: JOE_ID }, { email: 'harbor@example.com' }],
);

const groupId = field(
  'groupIdInvalid',
  uuid('must be the id of a group.').nullish(),
  'The group whose members read it, too: whoever joins or leaves the group. With the other recipients, they are at most 50. null: none. Default: none, or as before.',
  null,
);

const AddressResponse = objectSchema('AddressResponse', 'The group address.', { address: Address });

const NAME_MESSAGE = `must have ${LIMITS.displayNameMin} to ${LIMITS.displayNameMax} letters a-z, digits and hyphens, with no hyphen at an end.`;

const CreateAddressRequest = objectSchema('CreateAddressRequest', 'The group address.', {
  name: field(
    'addressNameInvalid',
    limitedText(1_000, NAME_MESSAGE),
    `The part before the @. Upper case and spaces are changed as in display names. No member may have the name, but reserved names, such as info, are allowed.`,
    'board',
  ),
  recipients,
  group_id: groupId,
});

export const RECIPIENT_REFUSALS = {
  memberNotFound: forField(
    'recipients',
    refusal(404, 'No account has the id.', 'There is no member {member}.', {
      member: JOE_ID,
    }),
  ),
  recipientLoop: forField(
    'recipients',
    refusal(
      400,
      'The address is at the domain of this server, but no member has it.',
      'No member has the address {email}. Readers are members or addresses elsewhere.',
      { email: 'board@club.example' },
    ),
  ),
  emailDomainRefused: forField('recipients', EMAIL_DOMAIN_REFUSALS.emailDomainRefused),
  severalRecipientsUnavailable: forField(
    'recipients',
    READER_REFUSALS.severalRecipientsUnavailable,
  ),
  readerLimitReached: READER_REFUSALS.readerLimitReached,
  mailUnavailable: MEMBER_EMAIL_REFUSALS.mailUnavailable,
  mailLimitReached: MEMBER_EMAIL_REFUSALS.mailLimitReached,
};

export const ADDRESS_NAME_REFUSALS = {
  ...refusalsOf(CreateAddressRequest.pick({ name: true })),
  addressNameTaken: forField(
    'name',
    refusal(
      409,
      'A member or another group address has the name, or it is held back.',
      '{problem}',
      { problem: 'The address board@club.example exists already. Change that one.' },
    ),
  ),
};

const CREATE_ADDRESS_REFUSALS = {
  ...ADDRESS_NAME_REFUSALS,
  addressLimitReached: refusal(
    400,
    `The server already has ${LIMITS.addresses} group addresses.`,
    'This server has reached its limit of {limit} addresses. Delete one first.',
    { limit: LIMITS.addresses },
  ),
  forwardingUnavailable: refusal(
    409,
    'The server has no forwarding provider: `EMAIL_FORWARDING_PROVIDER` is `none`.',
    'This server forwards no mail yet. Set up forwarding first.',
  ),
};

/** Group addresses, which forward to several recipients. */
export const addresses = defineOwnerEndpoints('addresses', OPERATOR_DEFAULTS, {
  listAddresses: {
    method: 'GET',
    summary: 'List the group addresses',
    description: 'For operators. Returns all group addresses with their recipients.',
    response: resultSchema('The group addresses.', {
      addresses: z
        .array(Address)
        .meta({ description: 'The group addresses by name.', maxItems: LIMITS.addresses }),
      mail_domain: textField('The part after the @.', 253, 'club.example'),
      recipient_limit: countField(
        'How many recipients an address can have: 1 if the forwarding provider sends it to one inbox only, 0 if the server forwards no mail.',
        LIMITS.addressRecipients,
      ),
    }),
    listField: 'addresses',
    untrustedFields: 'all',
    failure: 'The addresses could not be fetched.',
  },
  getAddress: {
    method: 'GET',
    summary: 'Read a group address',
    description: 'For operators. Returns a group address with its recipients.',
    query: { address_id: addressId },
    response: AddressResponse,
    untrustedFields: 'all',
    failure: 'The address could not be fetched.',
    refusals: ADDRESS_REFUSALS,
  },
  createAddress: {
    method: 'POST',
    summary: 'Create a group address',
    description:
      'For operators. Creates an address that forwards to members, at once and at their confirmed address, and to outside addresses. Members get a mail about it; outside addresses get a mail with a link first, which also ends it later.',
    body: CreateAddressRequest,
    response: AddressResponse,
    recentLogin: true,
    untrustedFields: 'all',
    failure: 'The address could not be created.',
    refusals: { ...CREATE_ADDRESS_REFUSALS, ...RECIPIENT_REFUSALS, ...GROUP_REFUSALS },
  },
  updateAddress: {
    method: 'POST',
    summary: 'Rename a group address, or change who gets its mail',
    description:
      'For operators. Replaces the recipients, the name or both; a recipient that is in the old list, too, keeps its state. Members who are added or removed get a mail, all others one about a new name.',
    body: {
      address_id: addressId,
      name: field(
        'addressNameInvalid',
        limitedText(1_000, NAME_MESSAGE).optional(),
        'The new part before the @. Mail to the former address is refused afterwards. Default: as before.',
        'committee',
      ),
      recipients: field(
        'recipientsInvalid',
        recipientList.optional(),
        'As for a new address. Default: as before.',
        [{ account_id: JOE_ID }],
      ),
      group_id: groupId,
    },
    response: AddressResponse,
    recentLogin: true,
    untrustedFields: 'all',
    idempotent: true,
    failure: 'The address could not be changed.',
    refusals: {
      ...ADDRESS_REFUSALS,
      ...ADDRESS_NAME_REFUSALS,
      ...RECIPIENT_REFUSALS,
      ...GROUP_REFUSALS,
    },
  },
  deleteAddress: {
    method: 'POST',
    summary: 'Delete a group address',
    description:
      'For operators. Mail to it is refused afterwards. Its name is held back like a former display name; operators can create it again at once.',
    body: {
      address_id: addressId,
    },
    response: SuccessResponse,
    recentLogin: true,
    destructive: true,
    failure: 'The address could not be deleted.',
    refusals: ADDRESS_REFUSALS,
  },
  sendConfirmation: {
    method: 'POST',
    summary: 'Ask an outside address again',
    description:
      'For operators. Mails another link to an outside address that does not get the mail. The former link stops working.',
    body: {
      recipient_id: field(
        'recipientIdInvalid',
        uuid('must be the id of a recipient.'),
        'The id of the recipient.',
        EXAMPLE_ID,
      ),
    },
    response: AddressResponse,
    recentLogin: true,
    untrustedFields: 'all',
    failure: 'The mail could not be sent.',
    refusals: {
      recipientNotFound: forField(
        'recipient_id',
        refusal(
          404,
          'There is no outside address with this id that waits.',
          'There is no such outside address, or it gets the mail already.',
        ),
      ),
      mailUnavailable: MEMBER_EMAIL_REFUSALS.mailUnavailable,
      mailLimitReached: MEMBER_EMAIL_REFUSALS.mailLimitReached,
    },
  },
});

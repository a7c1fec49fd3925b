import { z } from 'zod';
import { DISPLAY_NAME_REFUSALS } from '../account.ts';
import { defineEndpoints } from '../define-endpoints.ts';
import { EMAIL_PATTERN } from '../email.ts';
import { LIMITS } from '../limits.ts';
import { success } from '../result-fields.ts';
import { forField, invalidField, refusal } from '../refusal.ts';
import { SIGN_UP_RATE_REFUSALS, UNCONFIRMED_MAIL_REFUSALS } from '../request-refusals.ts';
import { UNAUTHENTICATED_DEFAULTS } from '../endpoint-defaults.ts';
import {
  INVITATION_REFUSALS,
  invitationToken,
  REGISTRATION_CLOSED_REFUSALS,
} from './invitations.ts';
import { MAIL_REFUSALS, SessionResponse } from './session.ts';

const NAME = 'display_name must be a string.';
const EMAIL_TEXT = `email must be one plain email address of at most ${LIMITS.email} characters.`;
const REGISTRATION = 'registration must be the token of a mailed link.';

export const displayName = z
  .string(NAME)
  .max(1_000, NAME)
  .meta({
    description: 'The display name to claim, by the rules of `update-display-name`.',
    examples: ['Jane Doe'],
  });

const invitation = invitationToken.optional().meta({
  description: 'The token of an invitation, without which registration may be closed.',
});

const CheckNameRequest = z
  .object({ display_name: displayName, invitation })
  .meta({ id: 'CheckNameRequest', description: 'A display name that somebody would like.' });

export const CheckNameResponse = z
  .object({
    display_name: z.string().meta({
      description: 'The name as it would be: sanitized.',
      maxLength: LIMITS.displayNameMax,
      examples: ['jane-doe'],
    }),
    available: z.boolean().meta({
      description: 'Whether it can be claimed now. This does not reserve the name.',
      examples: [false],
    }),
    suggestions: z.array(z.string().meta({ maxLength: LIMITS.displayNameMax })).meta({
      description: 'Similar names that are available, if this one is not.',
      maxItems: 3,
      examples: [['its-jane-doe', 'jane-doe-online']],
    }),
  })
  .meta({ id: 'CheckNameResponse', description: 'Whether a name can be claimed.' });

const RequestAccountRequest = z
  .object({
    display_name: displayName,
    invitation,
    email: z
      .string(EMAIL_TEXT)
      .max(LIMITS.email, EMAIL_TEXT)
      .refine((email) => EMAIL_PATTERN.test(email), EMAIL_TEXT)
      .meta({
        description: 'The address of the owner, which gets the link.',
        examples: ['jane@example.com'],
      }),
  })
  .meta({ id: 'RequestAccountRequest', description: 'A name, and the address of its owner.' });

const RequestAccountResponse = z
  .object({ success })
  .meta({ id: 'RequestAccountResponse', description: 'A mail is on its way.' });

const CreateAccountRequest = z
  .object({
    registration: z
      .string(REGISTRATION)
      .max(100, REGISTRATION)
      .meta({
        description: 'The token of the mailed link: the part between its # and its /.',
        examples: ['2zJyBvV6bTn0mVg1pX4kz6Yc0wQe8rTqXl3sHdUj9aA'],
      }),
    display_name: displayName,
  })
  .meta({ id: 'CreateAccountRequest', description: 'A mailed link and the name to claim.' });

/** Why a name cannot be claimed. A reserved and a taken name get the same answer, `UNAVAILABLE`. */
const {
  displayNameReserved: _reserved,
  displayNameTaken: _taken,
  ...NAME_RULE_REFUSALS
} = DISPLAY_NAME_REFUSALS;
export { NAME_RULE_REFUSALS as CLAIMED_NAME };

/** Why a name is not available: reserved, taken and held back are one answer. */
const NAME_UNAVAILABLE_REFUSALS = {
  nameUnavailable: forField(
    'display_name',
    refusal(409, 'The name is reserved, taken or held back.', 'The name {name} is not available.', {
      name: 'jane-doe',
    }),
  ),
};

export const NAME_MISSING_REFUSALS = {
  nameMissing: invalidField('display_name', 'No name was sent.', NAME),
};

/** Refusals of somebody who signs up. */
export const SIGN_UP_REFUSALS = {
  ...NAME_MISSING_REFUSALS,
  ...REGISTRATION_CLOSED_REFUSALS,
  ...INVITATION_REFUSALS,
  ...NAME_RULE_REFUSALS,
  ...NAME_UNAVAILABLE_REFUSALS,
  ...SIGN_UP_RATE_REFUSALS,
  ...UNCONFIRMED_MAIL_REFUSALS,
  invitationLinksUsedUp: refusal(
    429,
    'Five links were mailed for the invitation within a day.',
    'Too many links were mailed for this invitation. Open the newest mail, or try again in {wait}.',
    { wait: '1 day' },
  ),
  signUpEmailInvalid: invalidField('email', 'No valid address was sent.', EMAIL_TEXT),
  emailDomainRefused: forField(
    'email',
    refusal(
      400,
      'The domain of the address is of special use, or the operator refuses it.',
      'email must not be an address at {domain}.',
      { domain: 'example.com' },
    ),
  ),
};

export const REGISTRATION_REFUSALS = {
  registrationInvalid: forField(
    'registration',
    refusal(
      401,
      'The link or its invitation was used, has expired or never existed.',
      'This link is no longer valid. Sign up again for a new one.',
    ),
  ),
};

/** Sign-up: for everybody where registration is open, otherwise with an invitation. */
export const registration = defineEndpoints(UNAUTHENTICATED_DEFAULTS, {
  checkName: {
    method: 'POST',
    path: '/owner/registration/check-name',
    summary: 'Check whether a name is available',
    description:
      'Says whether a new account could have a display name now, and not why it could not. Names that resemble reserved ones are not suggested.',
    body: CheckNameRequest,
    responses: { 200: CheckNameResponse },
    metadata: {
      failure: 'The name could not be checked.',
      refusals: {
        ...NAME_MISSING_REFUSALS,
        ...REGISTRATION_CLOSED_REFUSALS,
        ...INVITATION_REFUSALS,
        ...NAME_RULE_REFUSALS,
        nameCheckRateLimited: SIGN_UP_RATE_REFUSALS.nameCheckRateLimited,
      },
    },
  },
  requestAccount: {
    method: 'POST',
    path: '/owner/registration/request-account',
    summary: 'Ask for an account',
    description:
      'Mails a link that creates an account, once, within a day. An address that has an account gets a login link instead; the answer is the same. An address gets a few mails a day. Until the link is used, others can claim the name, and the invitation, if there is one, stays valid.',
    body: RequestAccountRequest,
    responses: { 200: RequestAccountResponse },
    metadata: {
      failure: 'No mail could be asked for.',
      refusals: { ...SIGN_UP_REFUSALS, ...MAIL_REFUSALS },
    },
  },
  createAccount: {
    method: 'POST',
    path: '/owner/registration/create-account',
    summary: 'Create an account with a mailed link',
    description:
      'Creates an account with the name and the address of the link, logs in and sets the session cookie. The link is used up, unless the name is refused: then send another one.',
    body: CreateAccountRequest,
    responses: { 200: SessionResponse },
    metadata: {
      failure: 'The account could not be made.',
      refusals: {
        registrationMissing: invalidField('registration', 'No token was sent.', REGISTRATION),
        ...NAME_MISSING_REFUSALS,
        ...REGISTRATION_CLOSED_REFUSALS,
        ...REGISTRATION_REFUSALS,
        ...NAME_RULE_REFUSALS,
        ...NAME_UNAVAILABLE_REFUSALS,
      },
    },
  },
});

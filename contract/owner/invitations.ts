import { LIMITS } from '#contract/shared/limits.ts';
import { DISPLAY_NAME_REFUSALS } from '../account.ts';
import { defineOwnerEndpoints } from '../define-endpoints.ts';
import { UNAUTHENTICATED_DEFAULTS } from '../endpoint-defaults.ts';
import { exampleLink } from '../examples.ts';
import { field, booleanField, resultSchema, nullableTextField } from '../fields.ts';
import { forField, refusal } from '../refusal.ts';
import { limitedText } from '../text.ts';
import { SessionResponse } from './sessions.ts';

export const invitationUrl = limitedText(LIMITS.url, 'must be the link of an invitation.').meta({
  description: 'The link of the invitation, or its part after the #.',
  examples: [exampleLink('invitation')],
});

export const REGISTRATION_CLOSED_REFUSALS = {
  registrationClosed: refusal(
    403,
    'Registration is closed (`REGISTRATION`).',
    'Registration is closed on this server.',
  ),
};

export const INVITATION_REFUSALS = {
  invitationInvalid: forField(
    'invitation_url',
    refusal(
      401,
      'The invitation was used, has expired, was revoked or replaced by a newer one, or never existed.',
      'This invitation is no longer valid. Ask for a new one.',
    ),
  ),
};

const ENDED_INVITATION_REFUSALS = {
  invitationExpired: forField(
    'invitation_url',
    refusal(401, 'The invitation has expired.', 'This invitation has expired. Ask for a new one.'),
  ),
  invitationUsed: forField(
    'invitation_url',
    refusal(
      401,
      'The invitation was used as often as it can be.',
      'This invitation was already used. Sign in, or ask for a new one.',
    ),
  ),
};

export const INVITATION_NEEDS_EMAIL_REFUSALS = {
  invitationNeedsEmail: refusal(
    409,
    'The server sends mail, so a new account needs an email address, and the invitation was not mailed to one.',
    'This server needs your email address: send it with the invitation to /owner/account/create-registration.',
  ),
};

export const invitations = defineOwnerEndpoints('invitations', UNAUTHENTICATED_DEFAULTS, {
  getInvitation: {
    method: 'POST',
    summary: 'Look up an invitation',
    description: 'Returns what an invitation contains. Changes nothing.',
    body: {
      invitation_url: field('invitationMissing', invitationUrl),
    },
    response: resultSchema('What the invitation contains.', {
      name: nullableTextField(
        'The name of the invited person, or null.',
        LIMITS.memberName,
        'José Müller',
      ),
      display_name: nullableTextField(
        'The suggested display name, or null. It may be taken by now.',
        LIMITS.displayNameMax,
        'jose-mueller',
      ),
      email: nullableTextField(
        'The address of the invited person, or null.',
        LIMITS.email,
        'jose@example.com',
      ),
      mailed: booleanField(
        'Whether the link was mailed to `email`. Then it proves that address, and `acceptInvitation` needs no other mail.',
        true,
      ),
      forward_to_email: nullableTextField(
        'Where mail is to be forwarded, if not to `email`. Unless it is the same address, it has to be confirmed by its own mail.',
        LIMITS.email,
        'jose@example.net',
      ),
    }),
    failure: 'The invitation could not be read.',
    readOnly: true,
    refusals: {
      ...REGISTRATION_CLOSED_REFUSALS,
      ...ENDED_INVITATION_REFUSALS,
      ...INVITATION_REFUSALS,
    },
  },
  acceptInvitation: {
    method: 'POST',
    summary: 'Create an account with an invitation',
    description:
      'Creates an account, logs in and sets the session cookie; the address of a mailed invitation is then confirmed, and mail to the display name is forwarded to it. An invitation that was not mailed works only on servers that send no mail: on all others, call `createRegistration` with it.',
    body: {
      invitation_url: field('invitationMissing', invitationUrl),
      display_name: limitedText(1_000, 'must be a string.')
        .nullish()
        .meta({
          description:
            'The display name to claim. The rules of `updateDisplayName` apply. Optional.',
          examples: ['Jose Mueller'],
        }),
    },
    response: SessionResponse,
    failure: 'The account could not be created.',
    refusals: {
      ...REGISTRATION_CLOSED_REFUSALS,
      ...INVITATION_REFUSALS,
      ...INVITATION_NEEDS_EMAIL_REFUSALS,
      ...DISPLAY_NAME_REFUSALS,
    },
  },
});

import { DISPLAY_NAME_REFUSALS } from '../account.ts';
import { defineEndpoints } from '../define-endpoints.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import { forField, refusal } from '../refusal.ts';
import { UNAUTHENTICATED_DEFAULTS } from '../endpoint-defaults.ts';
import { SessionResponse } from './session.ts';
import { field, booleanField, objectSchema, nullableTextField } from '../fields.ts';
import { limitedText } from '../text.ts';

export const invitationToken = limitedText(100, 'must be the token of an invitation.').meta({
  description: 'The token of the invitation: the part of its link after the #.',
  examples: ['2zJyBvV6bTn0mVg1pX4kz6Yc0wQe8rTqXl3sHdUj9aA'],
});

const AcceptRequest = objectSchema(
  'AcceptInvitationRequest',
  'The invitation, and the display name of the new account.',
  {
    invitation: field('invitationMissing', invitationToken),
    display_name: limitedText(1_000, 'must be a string.')
      .nullish()
      .meta({
        description:
          'The display name to claim. The rules of `update-display-name` apply. Optional.',
        examples: ['Jane Doe'],
      }),
  },
);

export const REGISTRATION_CLOSED_REFUSALS = {
  registrationClosed: refusal(
    403,
    'Registration is closed (`REGISTRATION`).',
    'Registration is closed on this server.',
  ),
};

export const INVITATION_REFUSALS = {
  invitationInvalid: forField(
    'invitation',
    refusal(
      401,
      'The invitation was used, has expired, was revoked or replaced by a newer one, or never existed.',
      'This invitation is no longer valid. Ask for a new one.',
    ),
  ),
};

const CLOSED_INVITATION_REFUSALS = {
  invitationExpired: forField(
    'invitation',
    refusal(401, 'The invitation has expired.', 'This invitation has expired. Ask for a new one.'),
  ),
  invitationUsed: forField(
    'invitation',
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
    'This server needs your email address: send it with the invitation to /owner/registration/request-account.',
  ),
};

const LookUpRequest = objectSchema('LookUpInvitationRequest', 'The invitation.', {
  invitation: field('invitationMissing', invitationToken),
});

const LookUpResponse = objectSchema('LookUpInvitationResponse', 'What the invitation contains.', {
  name: nullableTextField(
    'The name of the invited person, or null.',
    LIMITS.memberName,
    'Jane Doe',
  ),
  display_name: nullableTextField(
    'The suggested display name, or null. It may be taken by now.',
    LIMITS.displayNameMax,
    'jane-doe',
  ),
  email: nullableTextField(
    'The address of the invited person, or null.',
    LIMITS.email,
    'jane@example.com',
  ),
  mailed: booleanField(
    'Whether the link was mailed to `email`. Then it proves that address, and `accept-invitation` needs no other mail.',
    true,
  ),
  forward_to: nullableTextField(
    'Where mail is to be forwarded, if not to `email`. Unless it is the same address, it has to be confirmed by its own mail.',
    LIMITS.email,
    'jane@example.org',
  ),
});

export const invitations = defineEndpoints(UNAUTHENTICATED_DEFAULTS, {
  lookUpInvitation: {
    method: 'POST',
    path: '/owner/invitations/look-up-invitation',
    summary: 'Look up an invitation',
    description: 'Returns what an invitation contains. Changes nothing.',
    body: LookUpRequest,
    responses: { 200: LookUpResponse },
    metadata: {
      failure: 'The invitation could not be read.',
      readOnly: true,
      refusals: {
        ...REGISTRATION_CLOSED_REFUSALS,
        ...CLOSED_INVITATION_REFUSALS,
        ...INVITATION_REFUSALS,
      },
    },
  },
  acceptInvitation: {
    method: 'POST',
    path: '/owner/invitations/accept-invitation',
    summary: 'Create an account with an invitation',
    description:
      'Creates an account, logs in and sets the session cookie. If the invitation was mailed, its address becomes the confirmed login address, and mail to the display name is forwarded to it. A different `forward_to` gets a mail to confirm it first. If the invitation was not mailed, this works only on servers that send no mail: on all others, call `request-account` with the invitation. An invitation stays valid if the name is refused.',
    body: AcceptRequest,
    responses: { 200: SessionResponse },
    metadata: {
      failure: 'The account could not be created.',
      refusals: {
        ...REGISTRATION_CLOSED_REFUSALS,
        ...INVITATION_REFUSALS,
        ...INVITATION_NEEDS_EMAIL_REFUSALS,
        ...DISPLAY_NAME_REFUSALS,
      },
    },
  },
});

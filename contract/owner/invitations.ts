import { z } from 'zod';
import { DISPLAY_NAME_REFUSALS } from '../account.ts';
import { defineEndpoints } from '../define-endpoints.ts';
import { forField, invalidField, refusal } from '../refusal.ts';
import { UNAUTHENTICATED_DEFAULTS } from '../endpoint-defaults.ts';
import { SessionResponse } from './session.ts';

const INVITATION = 'invitation must be the token of an invitation.';
const NAME = 'display_name must be a string, or null.';

export const invitationToken = z
  .string(INVITATION)
  .max(100, INVITATION)
  .meta({
    description: 'The token of the invitation: the part of its link after the #.',
    examples: ['2zJyBvV6bTn0mVg1pX4kz6Yc0wQe8rTqXl3sHdUj9aA'],
  });

const AcceptRequest = z
  .object({
    invitation: invitationToken,
    display_name: z
      .string(NAME)
      .max(1_000, NAME)
      .nullish()
      .meta({
        description: 'The display name to claim, by the rules of `update-display-name`. Optional.',
        examples: ['Jane Doe'],
      }),
  })
  .meta({ id: 'AcceptInvitationRequest', description: 'An invitation and the new account.' });

/** Where nobody can create an account in this way. */
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
      'The invitation was used, has expired or never existed.',
      'This invitation is no longer valid. Ask for a new one.',
    ),
  ),
};

/** How one gets an account by an invitation. */
export const invitations = defineEndpoints(UNAUTHENTICATED_DEFAULTS, {
  acceptInvitation: {
    method: 'POST',
    path: '/owner/invitations/accept-invitation',
    summary: 'Create an account with an invitation',
    description:
      'Creates an account, logs in and sets the session cookie, where the service sends no mail; where it does, call `request-account` with the invitation. The invitation is used up, unless the name is refused. Create a passkey or an API key next: without one, only the operator can let you in again.',
    body: AcceptRequest,
    responses: { 200: SessionResponse },
    metadata: {
      failure: 'The account could not be made.',
      refusals: {
        invitationMissing: invalidField('invitation', 'No invitation was sent.', INVITATION),
        ...REGISTRATION_CLOSED_REFUSALS,
        ...INVITATION_REFUSALS,
        invitationNeedsEmail: refusal(
          409,
          'The service sends mail, so accounts start with an email address.',
          'This server needs your email address: send it with the invitation to /owner/registration/request-account.',
        ),
        ...DISPLAY_NAME_REFUSALS,
      },
    },
  },
});

import { z } from 'zod';
import { DISPLAY_NAME_REFUSALS } from '../account.ts';
import { defineEndpoints } from '../define-endpoints.ts';
import { forField, invalidField, refusal } from '../refusal.ts';
import { UNAUTHENTICATED_DEFAULTS } from '../endpoint-defaults.ts';
import { SessionResponse } from './session.ts';

const INVITATION_MESSAGE = 'invitation must be the token of an invitation.';
const NAME_MESSAGE = 'display_name must be a string, or null.';

export const invitationToken = z
  .string(INVITATION_MESSAGE)
  .max(100, INVITATION_MESSAGE)
  .meta({
    description: 'The token of the invitation: the part of its link after the #.',
    examples: ['2zJyBvV6bTn0mVg1pX4kz6Yc0wQe8rTqXl3sHdUj9aA'],
  });

const AcceptRequest = z
  .object({
    invitation: invitationToken,
    display_name: z
      .string(NAME_MESSAGE)
      .max(1_000, NAME_MESSAGE)
      .nullish()
      .meta({
        description:
          'The display name to claim. The rules of `update-display-name` apply. Optional.',
        examples: ['Jane Doe'],
      }),
  })
  .meta({
    id: 'AcceptInvitationRequest',
    description: 'The invitation, and the display name of the new account.',
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
    'invitation',
    refusal(
      401,
      'The invitation was used, has expired or never existed.',
      'This invitation is no longer valid. Ask for a new one.',
    ),
  ),
};

export const invitations = defineEndpoints(UNAUTHENTICATED_DEFAULTS, {
  acceptInvitation: {
    method: 'POST',
    path: '/owner/invitations/accept-invitation',
    summary: 'Create an account with an invitation',
    description:
      'Creates an account, logs in and sets the session cookie. Only for servers that send no mail: on all others, call `request-account` with the invitation. Each invitation works once; it stays valid if the name is refused. Create a passkey or an API key next: without one, only the operator can help you log in again.',
    body: AcceptRequest,
    responses: { 200: SessionResponse },
    metadata: {
      failure: 'The account could not be created.',
      refusals: {
        invitationMissing: invalidField(
          'invitation',
          'The invitation is missing or not valid.',
          INVITATION_MESSAGE,
        ),
        ...REGISTRATION_CLOSED_REFUSALS,
        ...INVITATION_REFUSALS,
        invitationNeedsEmail: refusal(
          409,
          'The server sends mail, so a new account needs an email address.',
          'This server needs your email address: send it with the invitation to /owner/registration/request-account.',
        ),
        ...DISPLAY_NAME_REFUSALS,
      },
    },
  },
});

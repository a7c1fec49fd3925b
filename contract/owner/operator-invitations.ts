import { z } from 'zod';
import { defineEndpoints } from '../define-endpoints.ts';
import { timeField } from '../fields.ts';
import { LIMITS } from '../limits.ts';
import { success } from '../result-fields.ts';
import { forField, invalidField, refusal } from '../refusal.ts';
import { OPERATOR_DEFAULTS } from '../endpoint-defaults.ts';
import { oneLine } from '../text.ts';
import { uuid } from '../uuid.ts';
import { LIMIT_REFUSALS, listQuery, next, UNKNOWN_CURSOR } from './operator-listing.ts';

const AFTER_MESSAGE = 'after must be the id of an invitation.';
const DAYS_MESSAGE = `days must be a whole number from 1 to ${LIMITS.invitationDays}.`;
const NOTE_MESSAGE = `note must be one line of 1 to ${LIMITS.invitationNote} characters, or null.`;
const INVITATION_ID_MESSAGE = 'invitationId must be the id of an invitation.';

const Invitation = z
  .object({
    id: uuid().meta({
      description: 'The id of the invitation. It is not a secret.',
      examples: ['6f1d0c52-4b0a-4a36-8f55-0f8a3c1c9f10'],
    }),
    note: z
      .string()
      .nullable()
      .meta({
        description: 'A note about who the invitation is for, or null. Only operators see it.',
        maxLength: LIMITS.invitationNote,
        examples: ['Jane Doe'],
      }),
    created_at: timeField('When the invitation was created', '2026-01-31T09:30:00.000Z'),
    expires_at: timeField('When the invitation expires', '2026-02-07T09:30:00.000Z'),
  })
  .meta({ id: 'Invitation', description: 'An invitation that can still be accepted.' });

const InvitationsResponse = z
  .object({
    invitations: z
      .array(Invitation)
      .meta({ description: 'The invitations, newest first.', maxItems: LIMITS.listEntries }),
    next,
  })
  .meta({ id: 'InvitationsResponse', description: 'A batch of invitations.' });

const CreateRequest = z
  .object({
    days: z
      .int(DAYS_MESSAGE)
      .min(1, DAYS_MESSAGE)
      .max(LIMITS.invitationDays, DAYS_MESSAGE)
      .default(7)
      .meta({ description: 'The number of days until the invitation expires.', examples: [7] }),
    note: oneLine(LIMITS.invitationNote, NOTE_MESSAGE)
      .nullish()
      .meta({ description: 'A note about who the invitation is for.', examples: ['Jane Doe'] }),
  })
  .meta({
    id: 'CreateInvitationRequest',
    description: 'The validity of the invitation, and a note.',
  });

const CreateResponse = z
  .object({
    invitation: Invitation,
    invitation_link: z
      .string()
      .nullable()
      .meta({
        description:
          'The sign-up link. It works once. It is returned only once, because the server stores only a hash. Null if the request is repeated.',
        maxLength: LIMITS.url,
        examples: ['https://example.com/dashboard/invitation#2zJyBvV6bTn0mVg1pX4kz6Yc0wQe8rTq'],
      }),
  })
  .meta({ id: 'CreateInvitationResponse', description: 'The new invitation.' });

const RevokeRequest = z
  .object({
    invitationId: uuid(INVITATION_ID_MESSAGE).meta({
      description: 'The id of the invitation.',
      examples: ['6f1d0c52-4b0a-4a36-8f55-0f8a3c1c9f10'],
    }),
  })
  .meta({ id: 'RevokeInvitationRequest', description: 'The invitation to revoke.' });

const RevokeResponse = z
  .object({ success })
  .meta({ id: 'RevokeInvitationResponse', description: 'The invitation is no longer valid.' });

export const operatorInvitations = defineEndpoints(OPERATOR_DEFAULTS, {
  listInvitations: {
    method: 'GET',
    path: '/owner/operator/list-invitations',
    summary: 'List invitations',
    description: 'For operators. Returns the invitations that can still be accepted, newest first.',
    query: z.object(listQuery(AFTER_MESSAGE)),
    responses: { 200: InvitationsResponse },
    metadata: {
      listField: 'invitations',
      failure: 'The invitations could not be listed.',
      refusals: {
        ...LIMIT_REFUSALS,
        cursorInvalid: invalidField('after', UNKNOWN_CURSOR, AFTER_MESSAGE),
      },
    },
  },
  createInvitation: {
    method: 'POST',
    path: '/owner/operator/create-invitation',
    summary: 'Create an invitation',
    description: 'For operators. Creates a link with which one person can create an account.',
    body: CreateRequest,
    responses: { 200: CreateResponse },
    metadata: {
      failure: 'The invitation could not be created.',
      secretField: 'invitation_link',
      refusals: {
        daysInvalid: invalidField('days', 'The number of days is not valid.', DAYS_MESSAGE),
        noteInvalid: invalidField('note', 'The note is not valid.', NOTE_MESSAGE),
        registrationClosed: refusal(
          403,
          'Registration is closed (`REGISTRATION`).',
          'Registration is closed on this server.',
        ),
      },
    },
  },
  revokeInvitation: {
    method: 'POST',
    path: '/owner/operator/revoke-invitation',
    summary: 'Revoke an invitation',
    description: 'For operators. Makes the link of an invitation invalid.',
    body: RevokeRequest,
    responses: { 200: RevokeResponse },
    metadata: {
      failure: 'The invitation could not be revoked.',
      destructive: true,
      idempotent: true,
      refusals: {
        invitationIdInvalid: invalidField(
          'invitationId',
          'The id is not valid.',
          INVITATION_ID_MESSAGE,
        ),
        invitationNotFound: forField(
          'invitationId',
          refusal(
            404,
            'The invitation was accepted or revoked, has expired, or never existed.',
            'There is no such invitation.',
          ),
        ),
      },
    },
  },
});

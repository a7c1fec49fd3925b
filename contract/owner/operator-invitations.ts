import { z } from 'zod';
import { defineEndpoints } from '../define-endpoints.ts';
import { timeField } from '../fields.ts';
import { LIMITS } from '../limits.ts';
import { success } from '../result-fields.ts';
import { forField, invalidField, refusal } from '../refusal.ts';
import { OPERATOR_DEFAULTS } from '../endpoint-defaults.ts';
import { oneLine } from '../text.ts';
import { uuid } from '../uuid.ts';
import { LIMIT_REFUSALS, listQuery, next, CURSOR_CONDITION } from './operator-listing.ts';

const AFTER = 'after must be the id of an invitation.';
const DAYS = `days must be a whole number from 1 to ${LIMITS.invitationDays}.`;
const NOTE = `note must be one line of 1 to ${LIMITS.invitationNote} characters, or null.`;
const ID = 'invitationId must be the id of an invitation.';

const Invitation = z
  .object({
    id: uuid().meta({
      description: 'The id of the invitation, which is no secret.',
      examples: ['6f1d0c52-4b0a-4a36-8f55-0f8a3c1c9f10'],
    }),
    note: z
      .string()
      .nullable()
      .meta({
        description: 'For whom it is, or null. Only operators see it.',
        maxLength: LIMITS.invitationNote,
        examples: ['Jane Doe'],
      }),
    created_at: timeField('When it was created', '2026-01-31T09:30:00.000Z'),
    expires_at: timeField('When it expires', '2026-02-07T09:30:00.000Z'),
  })
  .meta({ id: 'Invitation', description: 'An invitation that can still be accepted.' });

const InvitationsResponse = z
  .object({
    invitations: z
      .array(Invitation)
      .meta({ description: 'The invitations, newest first.', maxItems: LIMITS.listed }),
    next,
  })
  .meta({ id: 'InvitationsResponse', description: 'A batch of invitations.' });

const CreateRequest = z
  .object({
    days: z
      .int(DAYS)
      .min(1, DAYS)
      .max(LIMITS.invitationDays, DAYS)
      .default(7)
      .meta({ description: 'Days until it expires.', examples: [7] }),
    note: oneLine(LIMITS.invitationNote, NOTE)
      .nullish()
      .meta({ description: 'For whom it is.', examples: ['Jane Doe'] }),
  })
  .meta({ id: 'CreateInvitationRequest', description: 'How long an invitation is valid.' });

const CreateResponse = z
  .object({
    invitation: Invitation,
    invitation_link: z
      .string()
      .nullable()
      .meta({
        description:
          'The sign-up link, which works once. It is shown only now, because only a hash is stored. Null in the answer to a repeat.',
        maxLength: LIMITS.url,
        examples: ['https://example.com/dashboard/invitation#2zJyBvV6bTn0mVg1pX4kz6Yc0wQe8rTq'],
      }),
  })
  .meta({ id: 'CreateInvitationResponse', description: 'The new invitation.' });

const RevokeRequest = z
  .object({
    invitationId: uuid(ID).meta({
      description: 'The id of the invitation.',
      examples: ['6f1d0c52-4b0a-4a36-8f55-0f8a3c1c9f10'],
    }),
  })
  .meta({ id: 'RevokeInvitationRequest', description: 'The invitation to revoke.' });

const RevokeResponse = z
  .object({ success })
  .meta({ id: 'RevokeInvitationResponse', description: 'The invitation is no longer valid.' });

/** Invitations, for operators. */
export const operatorInvitations = defineEndpoints(OPERATOR_DEFAULTS, {
  listInvitations: {
    method: 'GET',
    path: '/owner/operator/list-invitations',
    summary: 'List invitations',
    description: 'For operators. Returns the invitations that can still be accepted, newest first.',
    query: z.object(listQuery(AFTER)),
    responses: { 200: InvitationsResponse },
    metadata: {
      list: 'invitations',
      failure: 'The invitations could not be listed.',
      refusals: {
        ...LIMIT_REFUSALS,
        cursorInvalid: invalidField('after', CURSOR_CONDITION, AFTER),
      },
    },
  },
  createInvitation: {
    method: 'POST',
    path: '/owner/operator/create-invitation',
    summary: 'Create an invitation',
    description: 'For operators. Creates a link by which one person makes an account.',
    body: CreateRequest,
    responses: { 200: CreateResponse },
    metadata: {
      failure: 'The invitation could not be created.',
      once: 'invitation_link',
      refusals: {
        daysInvalid: invalidField('days', 'The number of days is not valid.', DAYS),
        noteInvalid: invalidField('note', 'The note is not valid.', NOTE),
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
        invitationIdInvalid: invalidField('invitationId', 'The id is not valid.', ID),
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

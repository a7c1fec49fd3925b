import { z } from 'zod';
import { defineEndpoints } from '../define-endpoints.ts';
import { RECENT_LOGIN_REFUSALS } from '../recent-login.ts';
import { success } from '../result-fields.ts';
import { invalidField, refusal } from '../refusal.ts';
import { AUTHENTICATED_DEFAULTS } from '../endpoint-defaults.ts';
import {
  CheckNameResponse,
  CLAIMED_NAME,
  displayName,
  NAME_MISSING_REFUSALS,
} from './registration.ts';

const CONFIRM = 'confirm must be the display name or the id of the account.';

const DeleteAccountRequest = z
  .object({
    confirm: z
      .string(CONFIRM)
      .max(200, CONFIRM)
      .meta({
        description: 'The display name or id of the account, as confirmation.',
        examples: ['jane-doe'],
      }),
  })
  .meta({
    id: 'DeleteAccountRequest',
    description: 'Confirmation of the deletion.',
  });

const DeleteAccountResponse = z.object({ success }).meta({
  id: 'DeleteAccountResponse',
  description: 'The account is closed, and its data will be deleted within moments.',
});

const ExportResponse = z.any().meta({
  id: 'AccountArchive',
  type: 'string',
  contentMediaType: 'application/zip',
  description:
    'A zip archive. Its `manifest.json` explains each file. It contains no secret and no hash of one.',
});

/** The account itself. */
export const account = defineEndpoints(AUTHENTICATED_DEFAULTS, {
  checkDisplayName: {
    method: 'GET',
    path: '/owner/account/check-display-name',
    summary: 'Check whether the account can have a name',
    description:
      'Says whether the account could claim a display name now, and suggests similar names if it could not. Its own name, and a former one that is held back for it, are available to it.',
    query: z.object({ display_name: displayName }),
    responses: { 200: CheckNameResponse },
    metadata: {
      failure: 'The name could not be checked.',
      refusals: { ...NAME_MISSING_REFUSALS, ...CLAIMED_NAME },
    },
  },
  exportData: {
    method: 'GET',
    path: '/owner/account/export-data',
    summary: 'Export all data of the account',
    description:
      'Streams all data of the account as one zip archive. If something fails midway, the archive is cut off and does not open. Needs a session, or a key with full access (`all` or `operator`).',
    responses: { 200: ExportResponse },
    metadata: {
      failure: 'The data could not be exported.',
      file: ['application/zip'],
      scope: 'all',
      refusals: {
        ...RECENT_LOGIN_REFUSALS,
        exportInProgress: refusal(
          429,
          'Another export of the account is running.',
          'An export of this account is already running. Wait until it has finished.',
        ),
      },
    },
  },
  deleteAccount: {
    method: 'POST',
    path: '/owner/account/delete-account',
    summary: 'Delete the account',
    description:
      'Deletes the account permanently: its keys and sessions end, its page is hidden and its mail stops at once; then its data is deleted. A name that had mail or a visible page stays unavailable to others for a while. A repeat gets 401.',
    body: DeleteAccountRequest,
    responses: { 200: DeleteAccountResponse },
    metadata: {
      failure: 'The account could not be deleted.',
      destructive: true,
      idempotent: true,
      refusals: {
        confirmationMismatch: invalidField(
          'confirm',
          '`confirm` is neither the display name nor the id.',
          CONFIRM,
        ),
        ...RECENT_LOGIN_REFUSALS,
      },
    },
  },
});

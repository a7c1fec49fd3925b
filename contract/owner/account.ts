import { z } from 'zod';
import { area } from '../area.ts';
import { FRESH_PROOF } from '../fresh-proof.ts';
import { success } from '../outcome.ts';
import { refusal } from '../refusal.ts';
import { AUTHENTICATED } from '../surfaces.ts';

const CONFIRM = 'confirm must be the display name or the id of the account.';

const DeleteAccountRequest = z
  .object(
    {
      confirm: z
        .string(CONFIRM)
        .max(200, CONFIRM)
        .meta({
          description: 'The display name of the account, or its id, as proof that it is meant.',
          examples: ['jane-doe'],
        }),
    },
    CONFIRM,
  )
  .meta({
    id: 'DeleteAccountRequest',
    description: 'Confirmation that the account is to be deleted.',
  });

const DeleteAccountResponse = z.object({ success }).meta({
  id: 'DeleteAccountResponse',
  description: 'Nobody gets in any more, and the rest of the account goes within moments.',
});

const ExportResponse = z.any().meta({
  id: 'AccountArchive',
  type: 'string',
  contentMediaType: 'application/zip',
  description:
    'A zip archive; `manifest.json` in it says what is in each file. There is no secret in it, nor the hash of one.',
});

/** The account itself. */
export const account = area(AUTHENTICATED, {
  exportData: {
    method: 'GET',
    path: '/owner/account/export-data',
    summary: 'Export all data of the account',
    description:
      'Sends everything that is stored for the account as one zip archive, made while it is sent, however large it is. If something fails on the way the archive ends early, which programs that open it see. Needs a key of the scope `all`, or a session.',
    responses: { 200: ExportResponse },
    metadata: {
      failure: 'The data could not be exported.',
      file: ['application/zip'],
      scope: 'all',
      refusals: {
        ...FRESH_PROOF,
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
      'Deletes the account for good: its keys and sessions end at once, its page is hidden and its mail stops, then all that is stored for it goes. A name that had mail or a visible page stays out of reach of others for a while. A repeat gets 401.',
    body: DeleteAccountRequest,
    responses: { 200: DeleteAccountResponse },
    metadata: {
      failure: 'The account could not be deleted.',
      refusals: {
        confirmationMismatch: refusal(
          400,
          '`confirm` is neither the display name nor the id.',
          CONFIRM,
        ),
        ...FRESH_PROOF,
      },
    },
  },
});

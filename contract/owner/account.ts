import { z } from 'zod';
import { defineEndpoints } from '../define-endpoints.ts';
import { RECENT_LOGIN_REFUSALS } from '../recent-login.ts';
import { LANGUAGES } from '../languages.ts';
import { success } from '../result-fields.ts';
import { invalidField, refusal } from '../refusal.ts';
import { AUTHENTICATED_DEFAULTS } from '../endpoint-defaults.ts';
import {
  CheckNameResponse,
  NAME_RULE_REFUSALS,
  displayName,
  NAME_MISSING_REFUSALS,
} from './registration.ts';

const CONFIRM_MESSAGE = 'confirm must be the display name or the id of the account.';

const DeleteAccountRequest = z
  .object({
    confirm: z
      .string(CONFIRM_MESSAGE)
      .max(200, CONFIRM_MESSAGE)
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
  description: 'The account is closed. Its data is deleted within moments.',
});

const ENABLED_MESSAGE = 'enabled must be true or false.';

const SetDeveloperToolsRequest = z
  .object({
    enabled: z.boolean(ENABLED_MESSAGE).meta({
      description: 'Whether the dashboard shows developer tools.',
      examples: [true],
    }),
  })
  .meta({ id: 'SetDeveloperToolsRequest', description: 'The choice to store.' });

const SetDeveloperToolsResponse = z
  .object({
    success,
    enabled: z.boolean().meta({ description: 'Whether the dashboard shows developer tools now.' }),
  })
  .meta({ id: 'SetDeveloperToolsResponse', description: 'The stored choice.' });

const LANGUAGE_MESSAGE = `language must be one of ${LANGUAGES.join(', ')}.`;

const UpdateLanguageRequest = z
  .object({
    language: z.enum(LANGUAGES, LANGUAGE_MESSAGE).meta({
      description: "The language of the account's dashboard and mails.",
      examples: ['de'],
    }),
  })
  .meta({ id: 'UpdateLanguageRequest', description: 'The language to store.' });

const UpdateLanguageResponse = z
  .object({
    success,
    language: z.enum(LANGUAGES).meta({
      description: "The language of the account's dashboard and mails.",
      examples: ['de'],
    }),
  })
  .meta({ id: 'UpdateLanguageResponse', description: 'The stored language.' });

export const ExportResponse = z.any().meta({
  id: 'AccountArchive',
  type: 'string',
  contentMediaType: 'application/zip',
  description:
    'A zip archive. Its `manifest.json` explains each file. It contains no secrets and no hashes of secrets.',
});

export const EXPORT_REFUSALS = {
  exportInProgress: refusal(
    429,
    'Another export of the account is running.',
    'An export of this account is already running. Wait until it has finished.',
  ),
};

export const account = defineEndpoints(AUTHENTICATED_DEFAULTS, {
  checkDisplayName: {
    method: 'GET',
    path: '/owner/account/check-display-name',
    summary: 'Check whether the account can claim a name',
    description:
      'Returns whether the account can claim a display name now, and suggests similar names if it cannot. Its current name, and former names that are reserved for it, count as available.',
    query: z.object({ display_name: displayName }),
    responses: { 200: CheckNameResponse },
    metadata: {
      failure: 'The name could not be checked.',
      refusals: { ...NAME_MISSING_REFUSALS, ...NAME_RULE_REFUSALS },
    },
  },
  setDeveloperTools: {
    method: 'POST',
    path: '/owner/account/set-developer-tools',
    summary: 'Show or hide developer tools',
    description:
      "Sets whether the account's dashboard shows API calls, keys, metrics, events and chat. The API itself works either way. The choice is in the field `developer_tools` of `getSession`.",
    body: SetDeveloperToolsRequest,
    responses: { 200: SetDeveloperToolsResponse },
    metadata: {
      failure: 'The developer tools could not be updated.',
      idempotent: true,
      refusals: {
        enabledInvalid: invalidField('enabled', 'The choice is not valid.', ENABLED_MESSAGE),
      },
    },
  },
  updateLanguage: {
    method: 'POST',
    path: '/owner/account/update-language',
    summary: 'Set the language of the account',
    description:
      "Sets the language of the account's dashboard and of mails to the account. The first login from a browser stores the language of the browser. The public page has its own language. The language is in the field `language` of `getSession`.",
    body: UpdateLanguageRequest,
    responses: { 200: UpdateLanguageResponse },
    metadata: {
      failure: 'The language could not be updated.',
      idempotent: true,
      refusals: {
        languageInvalid: invalidField('language', 'The language is not valid.', LANGUAGE_MESSAGE),
      },
    },
  },
  exportData: {
    method: 'GET',
    path: '/owner/account/export-data',
    summary: 'Export all data of the account',
    description:
      'Streams all data of the account as one zip archive. If an error occurs midway, the archive is truncated and cannot be opened. Needs a session, or a key with the scope `all` or `operator`.',
    responses: { 200: ExportResponse },
    metadata: {
      failure: 'The data could not be exported.',
      fileTypes: ['application/zip'],
      scope: 'all',
      refusals: {
        ...RECENT_LOGIN_REFUSALS,
        ...EXPORT_REFUSALS,
      },
    },
  },
  deleteAccount: {
    method: 'POST',
    path: '/owner/account/delete-account',
    summary: 'Delete the account',
    description:
      'Deletes the account permanently. Its keys and sessions end, its page is hidden and its mail forwarding stops immediately; then its data is deleted. A display name that had mail forwarding or a visible page stays unavailable to others for a while. Repeating the request returns 401.',
    body: DeleteAccountRequest,
    responses: { 200: DeleteAccountResponse },
    metadata: {
      failure: 'The account could not be deleted.',
      destructive: true,
      idempotent: true,
      refusals: {
        confirmationMismatch: invalidField(
          'confirm',
          '`confirm` is neither the display name nor the id of the account.',
          CONFIRM_MESSAGE,
        ),
        ...RECENT_LOGIN_REFUSALS,
      },
    },
  },
});

import { ContractNoBody } from '@ts-rest/core';
import { z } from 'zod';
import { LANGUAGES } from '#contract/shared/languages.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import { DISPLAY_NAME_REFUSALS, NAME_CHANGE_REFUSALS, PROFILE_REFUSALS } from '../account.ts';
import { defineOwnerEndpoints } from '../define-endpoints.ts';
import { AUTHENTICATED_DEFAULTS } from '../endpoint-defaults.ts';
import {
  field,
  booleanField,
  objectSchema,
  resultSchema,
  textField,
  timeField,
  booleanParam,
  enumParam,
} from '../fields.ts';
import { RECENT_LOGIN_REFUSALS } from '../recent-login.ts';
import { refusal } from '../refusal.ts';
import { SuccessResponse } from '../result-fields.ts';
import { limitedText } from '../text.ts';
import { timeZoneName } from '../time-zone.ts';
import { LAST_KEEPER_REFUSALS } from './keepers.ts';
import { CheckNameResponse, NAME_RULE_REFUSALS, displayName } from './registration.ts';

export const UpdateAccountNameRequest = objectSchema(
  'UpdateAccountNameRequest',
  'The display name to set.',
  {
    display_name: displayName,
    redirect: field(
      'redirectInvalid',
      booleanParam().optional(),
      `Whether \`/@old-name\` redirects to the page for ${LIMITS.redirectDays} days. Visitors of the old address then learn the new name. Default: false.`,
      true,
    ),
  },
);

const timeZone = timeZoneName.meta({
  description: 'The IANA time zone of the account.',
  maxLength: 64,
  examples: ['Europe/Lisbon'],
});

const messages = booleanField(
  'Whether the account gets the messages that operators write to members.',
  true,
);

export const AccountArchive = z.any().meta({
  id: 'AccountArchive',
  type: 'string',
  contentMediaType: 'application/zip',
  description:
    'A zip archive. Its `manifest.json` explains each file. It contains no secrets and no hashes of secrets.',
});

export const EXPORT_REFUSALS = {
  exportInProgress: refusal(
    429,
    'Two exports of the account are running.',
    'Two exports of this account are already running. Wait until one has finished.',
  ),
};

export const LAST_OPERATOR_REFUSALS = {
  lastOperator: refusal(
    409,
    'The account is the only operator.',
    'This is the only operator. Make another member an operator first.',
  ),
};

export const account = defineOwnerEndpoints('account', AUTHENTICATED_DEFAULTS, {
  checkDisplayName: {
    method: 'GET',
    summary: 'Check whether the account can claim a name',
    description:
      'Returns whether the account can claim a display name now, also its current name and former names that are held back for it, and suggests similar names if it cannot. A name that breaks the rules, such as `José`, is refused with the reason and a valid suggestion.',
    query: { display_name: displayName },
    response: CheckNameResponse,
    failure: 'The name could not be checked.',
    refusals: NAME_RULE_REFUSALS,
  },
  updateAccountName: {
    method: 'POST',
    summary: 'Change the display name, optionally with a redirect',
    description: `Changes the display name, like \`updateDisplayName\`. With \`redirect\`, the old address of a visible page leads to the new one for ${LIMITS.redirectDays} days, in which nobody else can claim the old name; without it, redirects from earlier names end, except those that already led to the new name.`,
    body: UpdateAccountNameRequest,
    response: resultSchema('The display name was changed.', {
      display_name: textField('The new name.', LIMITS.displayNameMax, 'jane-doe'),
    }),
    failure: 'The display name could not be changed.',
    destructive: true,
    idempotent: true,
    refusals: {
      ...DISPLAY_NAME_REFUSALS,
      ...NAME_CHANGE_REFUSALS,
      ...PROFILE_REFUSALS,
      ...RECENT_LOGIN_REFUSALS,
    },
  },
  listRedirects: {
    method: 'GET',
    summary: 'List former names that redirect',
    description: 'Returns the former names that redirect to the page while it is visible.',
    response: resultSchema('The redirects of the account.', {
      redirects: z
        .array(
          z.object({
            display_name: textField('The former name.', LIMITS.displayNameMax, 'jane'),
            expires_at: timeField('When the redirect ends', '2027-02-20T09:00:00.000Z'),
          }),
        )
        .meta({ description: 'The former names that redirect, latest first.', maxItems: 1_000 }),
    }),
    listField: 'redirects',
    failure: 'The redirects could not be fetched.',
  },
  deleteRedirects: {
    method: 'POST',
    summary: 'Stop all redirects from former names',
    description:
      'Former names stop redirecting immediately. They stay held back for the account for a while, like other former names.',
    body: ContractNoBody,
    response: SuccessResponse,
    failure: 'The redirects could not be stopped.',
    destructive: true,
    idempotent: true,
  },
  updateDeveloperTools: {
    method: 'POST',
    summary: 'Show or hide developer tools',
    description:
      "Sets whether the account's dashboard shows API calls, keys, metrics, events and chat. The API works either way; `getSession` has the choice as `developer_tools`.",
    body: {
      developer_tools: field(
        'developerToolsInvalid',
        booleanParam(),
        'Whether the dashboard shows developer tools.',
        true,
      ),
    },
    response: resultSchema('The stored choice.', {
      developer_tools: z
        .boolean()
        .meta({ description: 'Whether the dashboard shows developer tools now.' }),
    }),
    failure: 'The developer tools could not be updated.',
    idempotent: true,
  },
  updateLanguage: {
    method: 'POST',
    summary: 'Set the language of the account',
    description:
      "Sets the language of the account's dashboard and of mails to the account; the public page has its own. The first login from a browser stores the language of the browser, and `getSession` has it as `language`.",
    body: {
      language: field(
        'languageInvalid',
        enumParam(LANGUAGES),
        "The language of the account's dashboard and mails.",
        'de',
      ),
    },
    response: resultSchema('The stored language.', {
      language: z.enum(LANGUAGES).meta({
        description: "The language of the account's dashboard and mails.",
        examples: ['de'],
      }),
    }),
    failure: 'The language could not be updated.',
    idempotent: true,
  },
  updateTimeZone: {
    method: 'POST',
    summary: 'Set the time zone of the account',
    description:
      'Sets the time zone in which weekly summaries are sent on Mondays at 8:00. It is in the field `time_zone` of `getSession`.',
    body: {
      time_zone: field('timeZoneInvalid', timeZone),
    },
    response: resultSchema('The stored time zone.', {
      time_zone: timeZone,
    }),
    failure: 'The time zone could not be updated.',
    idempotent: true,
  },
  updateMessages: {
    method: 'POST',
    summary: 'Subscribe to messages, or unsubscribe',
    description:
      'Sets whether the account, and others with its confirmed address, get the messages that operators write to members. Login links, security notices and official notices are sent either way; `getSession` has the choice as `messages`.',
    body: {
      messages: field(
        'messagesInvalid',
        booleanParam(),
        'Whether the account is to get the messages that operators write to members.',
        true,
      ),
    },
    response: resultSchema('The stored choice.', {
      messages,
    }),
    failure: 'The subscription could not be updated.',
    idempotent: true,
  },
  exportAccount: {
    method: 'GET',
    summary: 'Export all data of the account',
    description:
      'Streams all data of the account as one zip archive, which is truncated and cannot be opened if an error occurs midway. Needs a session, or a key with the scope `all` or `operator`.',
    response: AccountArchive,
    actor: 'owner',
    recentLogin: true,
    failure: 'The data could not be exported.',
    fileTypes: ['application/zip'],
    scope: 'all',
    refusals: EXPORT_REFUSALS,
  },
  deleteAccount: {
    method: 'POST',
    summary: 'Delete the account',
    description:
      'Deletes the account permanently: its keys and sessions end, its page is hidden and its mail forwarding stops immediately; then its data is deleted. A display name that had mail forwarding or a visible page stays unavailable to others for a while.',
    body: {
      confirm: field(
        'confirmationMismatch',
        limitedText(200, 'must be the display name or the id of the account.'),
        'The display name or id of the account, as confirmation.',
        'jane-doe',
      ),
    },
    response: SuccessResponse,
    actor: 'owner',
    recentLogin: true,
    failure: 'The account could not be deleted.',
    destructive: true,
    idempotent: true,
    refusals: { ...LAST_OPERATOR_REFUSALS, ...LAST_KEEPER_REFUSALS },
  },
});

import { ContractNoBody } from '@ts-rest/core';
import { LIMITS } from '#contract/shared/limits.ts';
import { defineOwnerEndpoints } from '../define-endpoints.ts';
import { OPERATOR_DEFAULTS } from '../endpoint-defaults.ts';
import { resultSchema, textField } from '../fields.ts';
import { refusal } from '../refusal.ts';
import { SuccessResponse } from '../result-fields.ts';

const mailNotConnected = refusal(
  409,
  'No operator has connected a mail server.',
  'No mail server was connected here.',
);

/** 0.5.0 removes both, and no longer reads what they return and delete. */
export const mailSettings = defineOwnerEndpoints('server', OPERATOR_DEFAULTS, {
  exportMailSettings: {
    method: 'GET',
    summary: 'Read the stored mail settings',
    description:
      'For operators. Returns the mail server from the dashboard of 0.3 as lines for the environment, including its password. API keys, and sessions that an API key started, get 403; the audit trail records each call.',
    response: resultSchema('The stored mail server.', {
      settings: textField(
        'The lines `SMTP_URL` and `MAIL_FROM` for .env.',
        LIMITS.message,
        "SMTP_URL='smtps://office%40club.example:password@mail.example:465'\nMAIL_FROM=office@club.example",
      ),
    }),
    recentLogin: true,
    failure: 'The mail settings could not be read.',
    refusals: {
      mailNotConnected,
      mailSettingsUnreadable: refusal(
        409,
        'The stored mail server is encrypted with another key.',
        'The stored mail server is encrypted with another key.',
      ),
      keyForbidden: refusal(
        403,
        'The caller is an API key, or a session that began with one.',
        'API keys may not read this. Sign in with a passkey or a login link.',
      ),
    },
  },
  deleteMailSettings: {
    method: 'POST',
    summary: 'Delete the stored mail settings',
    description:
      'For operators. Deletes the mail server that was connected in the dashboard of 0.3. Without `SMTP_URL`, the server then sends no mail.',
    body: ContractNoBody,
    response: SuccessResponse,
    recentLogin: true,
    failure: 'The mail settings could not be deleted.',
    destructive: true,
    refusals: { mailNotConnected },
  },
});

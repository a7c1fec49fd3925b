import { ContractNoBody } from '@ts-rest/core';
import { z } from 'zod';
import { formatLimit, LIMITS } from '#contract/shared/limits.ts';
import { defineOwnerEndpoints } from '../define-endpoints.ts';
import { emailParam } from '../email.ts';
import { OPERATOR_DEFAULTS } from '../endpoint-defaults.ts';
import {
  field,
  booleanField,
  objectSchema,
  resultSchema,
  textField,
  timeField,
} from '../fields.ts';
import { forField, refusal } from '../refusal.ts';
import { EXTERNAL_WRITE_REFUSALS } from '../request-refusals.ts';
import { SuccessResponse } from '../result-fields.ts';
import { matchingText } from '../text.ts';
import { EXPORT_REFUSALS } from './account.ts';
import { SETUP_CODES, SetupFinding } from './setup-finding.ts';

/** Weeks of sign-ups in the response of `getServer`. */
export const SIGN_UP_WEEKS = 13;

const count = (description: string, example: number) =>
  z
    .number()
    .min(0)
    .meta({ description, examples: [example] });

const text = (description: string, example: string) =>
  textField(description, LIMITS.message, example);

const backupName = field(
  'nameInvalid',
  matchingText(
    /^nameplate-\d{4}-\d{2}-\d{2}(?:-without-metrics)?\.zip$/,
    'must be the name of a backup.',
  ),
  'The name of the file.',
  'nameplate-2026-01-31.zip',
);

const ExportBackupResponse = z.any().meta({
  id: 'ExportBackupResponse',
  type: 'string',
  contentMediaType: 'application/zip',
  description: 'A zip archive for `nameplate restore`.',
});

const BACKUPS_OFF_REFUSALS = {
  backupsOff: refusal(
    409,
    'The server makes no backups: `BACKUP_DIR` is `off`.',
    'This server makes no backups, because BACKUP_DIR is off.',
  ),
};

export const server = defineOwnerEndpoints('server', OPERATOR_DEFAULTS, {
  getServer: {
    method: 'GET',
    summary: 'Read the state of the server',
    description:
      'For operators. Returns the version, account counts, storage, the state of the mail queue, and what the setup lacks. Logs in to the mail server for up to 5 seconds, until that worked once, and tries the single sign-on once a minute.',
    response: resultSchema('The state of the server.', {
      version: text('The version of Nameplate.', '0.1.0'),
      database_version: text('The version of PostgreSQL.', '18.1'),
      started_at: timeField('When the server process started', '2026-01-31T09:30:00.000Z'),
      url: text(
        'The public URL, or null if `PUBLIC_URL` is not set.',
        'https://club.example',
      ).nullable(),
      accounts: objectSchema(
        'ServerAccounts',
        'Numbers of accounts: at most a minute old, but operators see their own changes at once.',
        {
          total: count('All accounts.', 480),
          suspended: count('Suspended accounts, and those with a suspended page.', 3),
          named: count('Accounts with a display name.', 463),
          operators: count('Operators.', 2),
          unseen: count('Accounts with no use on record.', 24),
          no_page: count('Accounts without a published page.', 49),
          left_group: count('Accounts that the identity provider no longer lets sign in.', 1),
          visible_pages: count('Publicly visible pages.', 431),
          seen_last_week: count(
            'Accounts that signed in, or used a session, in the last seven days.',
            212,
          ),
          created_per_week: z.array(count('Accounts created in one week.', 12)).meta({
            description: `Present accounts by the week of their creation, for the last ${SIGN_UP_WEEKS} weeks of seven days. Oldest first; the last week ends now.`,
            maxItems: SIGN_UP_WEEKS,
          }),
        },
      ),
      storage: objectSchema('ServerStorage', 'Storage with indexes, at most a minute old.', {
        database_bytes: count('Bytes of the whole database.', 6_100_000_000),
        picture_bytes: count('Bytes of pictures.', 4_800_000_000),
        metric_bytes: count('Bytes of metrics.', 900_000_000),
        free_bytes: count(
          'Free bytes on the disk of the embedded database. Null with a database of your own.',
          38_400_000_000,
        ).nullable(),
      }),
      mail: objectSchema('ServerMail', 'The mail queue.', {
        waiting: count('Emails waiting to be sent.', 0),
        retrying: count(
          'Emails that the mail server has not accepted yet. They are sent again.',
          0,
        ),
        failed: count('Emails that failed for good in the last days.', 0),
      }),
      open_reports: count(`Open reports of pages, up to ${formatLimit(LIMITS.countedReports)}.`, 2),
      last_backup_at: timeField(
        'When the last backup finished',
        '2026-01-31T03:00:00.000Z',
      ).nullable(),
      backups: objectSchema('ServerBackups', 'The nightly backups of this server.', {
        folder: text('The folder on this server: `BACKUP_DIR`.', '/var/lib/nameplate/backups'),
        separate_files: z
          .array(text('The path of a file.', '/var/lib/nameplate/encryption.key'))
          .meta({
            description:
              'Files of this server that backups do not contain, to be kept beside them: the settings, and the encryption key if it has a file of its own.',
            maxItems: 2,
          }),
        is_running: booleanField('Whether a backup is being made or is about to start.', false),
        next_at: timeField('When the next one starts', '2026-02-01T03:00:00.000Z'),
        files: z
          .array(
            objectSchema('ServerBackup', 'A stored backup, which was read back to check it.', {
              name: backupName,
              bytes: count('Its size in bytes.', 222_000_000),
              made_at: timeField('When it was made', '2026-01-31T03:00:04.000Z'),
            }),
          )
          .meta({ description: 'One per day (UTC), newest first.', maxItems: 1_000 }),
      })
        .nullable()
        .meta({
          description: 'The nightly backups of this server. Null if `BACKUP_DIR` is `off`.',
        }),
      login_email: text(
        'The confirmed email address of the caller, or null.',
        'jane@example.com',
      ).nullable(),
      setup: z
        .array(SetupFinding)
        .meta({ description: 'The setup, warnings first.', maxItems: SETUP_CODES.length }),
    }),
    failure: 'The state of the server could not be read.',
  },
  createBackup: {
    method: 'POST',
    summary: 'Start a backup',
    description:
      'For operators. Starts a backup in the background, which replaces that of today, unless one is about to start. `getServer` shows when it is done.',
    body: ContractNoBody,
    response: SuccessResponse,
    recentLogin: true,
    failure: 'The backup could not be started.',
    idempotent: true,
    refusals: BACKUPS_OFF_REFUSALS,
  },
  exportBackup: {
    method: 'GET',
    summary: 'Download a backup',
    description:
      'For operators. Streams a stored backup. It contains personal data of all members, and hashes of keys; the audit trail records it.',
    query: { name: backupName },
    response: ExportBackupResponse,
    recentLogin: true,
    failure: 'The backup could not be read.',
    fileTypes: ['application/zip'],
    refusals: {
      ...BACKUPS_OFF_REFUSALS,
      ...EXPORT_REFUSALS,
      backupNotFound: forField(
        'name',
        refusal(404, 'This server has no such backup.', 'This server has no such backup.'),
      ),
    },
  },
  sendTestMail: {
    method: 'POST',
    summary: 'Send a test mail',
    description: `For operators. Sends a mail at once and returns the answer of the mail server. At most ${LIMITS.testMailsPerHour} an hour for all operators.`,
    body: {
      email: field(
        'emailInvalid',
        emailParam.optional(),
        'The recipient. Default: your confirmed email address.',
        'jane@example.com',
      ),
    },
    response: resultSchema('The answer of the mail server.', {
      accepted: booleanField('Whether the mail server accepted the mail.', true),
      code: text(
        'Why it did not: the kind of failure and the status of the mail server. Null if it did.',
        'EAUTH 535',
      ).nullable(),
      problem: text(
        'What to do about it, in the language of the account. Null if the mail was accepted.',
        'The mail server refuses the login. Check user and password.',
      ).nullable(),
      email: textField('The recipient.', LIMITS.email, 'jane@example.com'),
    }),
    recentLogin: true,
    untrustedFields: 'all',
    failure: 'The test mail could not be sent.',
    access: 'noTransaction',
    refusals: {
      ...EXTERNAL_WRITE_REFUSALS,
      emailMissing: forField(
        'email',
        refusal(
          400,
          'You have no confirmed address.',
          'You have no confirmed address, so enter one.',
        ),
      ),
      mailNotSetUp: refusal(
        409,
        'There is no mail server.',
        'This server has no mail server. Set SMTP_URL first.',
      ),
      testMailLimitReached: refusal(
        429,
        `Operators sent ${LIMITS.testMailsPerHour} test mails in this hour.`,
        'Too many test mails were sent. Try again in {wait}.',
        { wait: '20 minutes' },
      ),
    },
  },
});

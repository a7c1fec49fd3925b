import { z } from 'zod';
import { LIMITS } from '#contract/shared/limits.ts';
import { objectSchema, textField } from '../fields.ts';

export const SETUP_CODES = [
  'alertsFiring',
  'connectionsFailing',
  'inboxUnconfirmed',
  'keeperInvited',
  'applicationsWaiting',
  'reportsOpen',
  'membersLeft',
  'operatorAlone',
  'loginSingle',
  'addressMissing',
  'addressNotHttps',
  'addressSet',
  'clientAddressUnknown',
  'clockJumped',
  'collationChanged',
  'backupFailed',
  'backupOld',
  'backupTooLarge',
  'backupSet',
  'backupOff',
  'mailMissing',
  'mailFailing',
  'mailUnreadable',
  'mailStored',
  'mailIgnored',
  'mailSet',
  'forwardingOff',
  'forwardingFailing',
  'forwardingOn',
  'groupAddressUnread',
  'domainsOff',
  'domainsOn',
  'signOnOff',
  'signOnFailing',
  'signOnOn',
  'encryptionKeyMissing',
  'instanceUnnamed',
  'legalTextsMissing',
  'membersMissing',
  'featuresOff',
] as const;
export type SetupCode = (typeof SETUP_CODES)[number];

const text = (description: string, example: string) =>
  textField(description, LIMITS.message, example);

export const SetupFinding = objectSchema(
  'SetupFinding',
  'Something that waits, or a part of the setup of the server.',
  {
    code: z
      .enum(SETUP_CODES)
      .meta({ description: 'The code of the finding. It never changes.', examples: ['backupOld'] }),
    level: z.enum(['warning', 'ok', 'off']).meta({
      description:
        '`warning`: something is missing or fails. `ok`: nothing to do. `off`: an optional feature that is not set up.',
      examples: ['warning'],
    }),
    title: text('What the finding is about, in the same language.', 'Backup'),
    count: z
      .int()
      .min(0)
      .nullable()
      .meta({
        description:
          'The number of alerts, connections, invitations, people, members or reports. Null for other findings.',
        examples: [2],
      }),
    value: text('The present value, such as a host, or null.', 'club.example').nullable(),
    text: text(
      'The finding as a sentence, in the language of the account or of `Accept-Language`.',
      'The last backup is more than two days old.',
    ),
    fix: text(
      'The lines for .env or for a shell that solve it, or null.',
      'npx nameplate backup nameplate.zip',
    ).nullable(),
    document: text('The page of the documentation, or null.', 'docs/backup.md').nullable(),
    path: text(
      'The screen that has more, below `/dashboard/`, or null.',
      'connections/3f6c2e9a-8b1d-4f7e-a5c4-2d90e1b7f386',
    ).nullable(),
  },
);

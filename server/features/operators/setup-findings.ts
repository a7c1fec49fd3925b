import type { SetupCode } from '#contract/owner/operator-server.ts';
import { DAY_MS } from '#contract/shared/durations.ts';
import type { LastBackup } from '#db/queries/last-backup.ts';
import { explainMailError, isConnectionError, mailErrorCode } from '../mails/explain-mail-error.ts';
import type { Config } from '#server/platform/settings/config.ts';
import { formatCommand } from '#server/platform/settings/format-command.ts';
import { explainBackupError } from '../backups/backup-error-text.ts';
import { explainSignOnError, type SignOnError } from '../sign-on/sign-on-error.ts';
import type { Translator } from '#translations/translator.ts';
import { LOOPBACK } from '#server/platform/settings/loopback.ts';

export interface SetupState {
  lastBackup: LastBackup;
  backupFolder: string | undefined;
  backupShortage: 'metrics' | 'days' | undefined;
  isOperatorAlone: boolean;
  /** Mails that the mail server has not accepted yet, and one of its errors. */
  stuckMails: { count: number; error: string | null };
  /** `accepted`, or the error of the last test mail since the start. */
  testMailResult: string | undefined;
  forwardingError: string | null;
  signOnError: SignOnError | undefined;
  hasEncryptionKey: boolean;
  /** How to reach the people who run this server, such as an email address. */
  contact: string | null;
}

interface Finding {
  code: SetupCode;
  level: 'warning' | 'ok' | 'off';
  title: string;
  value: string | null;
  text: string;
  fix: string | null;
  document: string | null;
}

/** Same threshold as the Prometheus alert NameplateBackupOld. */
const BACKUP_OLD_AFTER_MS = 2 * DAY_MS;
const LEVELS = ['warning', 'ok', 'off'];

/** Warnings come first. */
export function listSetupFindings(t: Translator, settings: Config, state: SetupState): Finding[] {
  return [
    ...checkOperators(t, state),
    checkAddress(t, settings),
    checkMail(t, settings, state),
    checkBackup(t, settings, state),
    checkForwarding(t, settings, state),
    ...checkKeys(t, state),
    checkDomains(t, settings),
    checkSignOn(t, settings, state),
  ].toSorted((a, b) => LEVELS.indexOf(a.level) - LEVELS.indexOf(b.level));
}

function warningFinding(code: SetupCode, title: string, rest: Partial<Finding> & { text: string }) {
  return { code, level: 'warning', title, ...EMPTY_FIELDS, ...rest } as const;
}

function okFinding(code: SetupCode, title: string, value: string | null, text: string) {
  return { code, level: 'ok', title, ...EMPTY_FIELDS, value, text } as const;
}

const EMPTY_FIELDS = { value: null, fix: null, document: null };

function checkAddress(t: Translator, { PUBLIC_URL: url, SMTP_URL: smtpUrl }: Config): Finding {
  const document = 'docs/public-instance.md';
  if (url === undefined)
    return warningFinding('addressMissing', t('Address'), {
      text: t('Mails, invitations and passkeys need the address that people use.'),
      fix: 'PUBLIC_URL=https://club.example',
      document,
    });
  const { protocol, hostname, host } = new URL(url);
  if (protocol === 'http:' && !LOOPBACK.test(hostname))
    return warningFinding('addressNotHttps', t('Address'), {
      value: host,
      text: t(
        'The address is not https, so others on the network can read API keys and session cookies.',
      ),
      fix: `PUBLIC_URL=https://${host}`,
      document,
    });
  if (LOOPBACK.test(hostname)) {
    const text = t(
      'Only this computer can open links in mails. Set PUBLIC_URL before you invite others.',
    );
    const fix = 'PUBLIC_URL=https://club.example';
    const level = smtpUrl === undefined ? 'off' : 'warning';
    return { ...okFinding('addressSet', t('Address'), host, text), level, fix, document };
  }
  const text = t('Links in mails and on pages use this address.');
  return okFinding('addressSet', t('Address'), host, text);
}

function checkMail(
  t: Translator,
  settings: Config,
  { contact, stuckMails, testMailResult }: SetupState,
): Finding {
  const title = t('Sending mail');
  const document = 'docs/public-instance.md';
  const { SMTP_URL: url, MAIL_DOMAIN: domain, MAIL_FROM: from = `no-reply@${domain}` } = settings;
  const office = /^[\w.+-]+@[\w.-]+$/.exec(contact ?? '')?.[0] ?? 'office@club.example';
  const smtpLine = `SMTP_URL='smtps://${office}:password@mail.example:465'`;
  const mailLines = `${smtpLine}\nMAIL_FROM=${office}`;
  const fix =
    settings.PUBLIC_URL === undefined ? `PUBLIC_URL=https://club.example\n${mailLines}` : mailLines;
  if (url === undefined)
    return warningFinding('mailMissing', title, {
      text: t('Login links, invitations and notices need a mail server.'),
      fix,
      document,
    });
  const { count, error } = stuckMails;
  const user = decodeURIComponent(new URL(url).username);
  const sender = `MAIL_FROM=${user.includes('@') ? user : from}`;
  const failingFinding = (code: string, prefix = '') =>
    warningFinding('mailFailing', title, {
      value: from,
      fix: isConnectionError(code) ? `${smtpLine}\n${sender}` : sender,
      document,
      text: prefix + explainMailError(t, code),
    });
  if (count > 0)
    return failingFinding(
      mailErrorCode(error),
      `${t('{count, plural, one {# mail waits} other {# mails wait}} for another attempt.', { count })} `,
    );
  if (testMailResult !== undefined && testMailResult !== 'accepted')
    return failingFinding(testMailResult);
  const text =
    testMailResult === undefined
      ? t('The mail server answers. Send a test mail after a change.')
      : t('The mail server accepted the last test mail.');
  return okFinding('mailSet', title, from, text);
}

function checkOperators(t: Translator, { isOperatorAlone }: SetupState): Finding[] {
  if (!isOperatorAlone) return [];
  const text = t(
    'You are the only operator, with neither a passkey nor a confirmed address. If you lose this login, only the command nameplate login on the server lets you back in.',
  );
  return [warningFinding('operatorAlone', t('Your login'), { text })];
}

function checkBackup(
  t: Translator,
  settings: Config,
  { lastBackup, backupFolder, backupShortage }: SetupState,
): Finding {
  const title = t('Backup');
  const { BACKUP_DIR, DATABASE_URL } = settings;
  const { finished_at: finishedAt, error } = lastBackup;
  const document = 'docs/backup.md';
  if (error !== null)
    return warningFinding('backupFailed', title, {
      ...explainBackupError(t, error, backupFolder ?? ''),
      document,
    });
  const age = finishedAt && Date.now() - finishedAt.getTime();
  if (age === null && BACKUP_DIR === 'off') {
    const text =
      DATABASE_URL === undefined
        ? t('Nightly backups are off.')
        : t('Nightly backups are off. Use the tools of PostgreSQL.');
    return { code: 'backupOff', level: 'off', title, ...EMPTY_FIELDS, text, document };
  }
  if (age !== null && age > BACKUP_OLD_AFTER_MS)
    return warningFinding('backupOld', title, {
      text: t('The last backup is more than two days old.'),
      document,
    });
  if (backupShortage !== undefined)
    return warningFinding('backupTooLarge', title, {
      text:
        backupShortage === 'metrics'
          ? t(
              'The last backup has no metrics: with them it was larger than a tenth of the free disk.',
            )
          : t('Fewer than seven backups fit into a tenth of the free disk, so fewer are kept.'),
      fix: 'BACKUP_DIR=/srv/backups',
      document,
    });
  return okFinding(
    'backupSet',
    title,
    null,
    age === null ? t('The first backup is being made.') : t('Keep a copy on another machine.'),
  );
}

function checkForwarding(
  t: Translator,
  settings: Config,
  { forwardingError }: SetupState,
): Finding {
  const title = t('Receiving mail');
  const document = 'docs/email-forwarding.md';
  const { EMAIL_FORWARDING_PROVIDER: provider, MAIL_DOMAIN: domain } = settings;
  if (provider === 'none')
    return {
      ...{ code: 'forwardingOff', level: 'off', title, ...EMPTY_FIELDS, document },
      text: t('Members can have an address at your domain that forwards to their mailbox.'),
    };
  if (forwardingError !== null)
    return warningFinding('forwardingFailing', title, {
      value: domain,
      text: t('Some addresses could not be changed at {provider}: {error}', {
        provider,
        error: forwardingError,
      }),
      fix: formatCommand(settings, 'check'),
      document,
    });
  return okFinding('forwardingOn', title, domain, t('Forwarded with {provider}.', { provider }));
}

function checkKeys(t: Translator, { hasEncryptionKey }: SetupState): Finding[] {
  if (hasEncryptionKey) return [];
  return [
    warningFinding('encryptionKeyMissing', t('Encryption key'), {
      text: t('Members cannot store webhooks. Set a key that openssl rand -hex 32 prints.'),
      fix: 'ENCRYPTION_KEY=',
      document: 'docs/chat.md',
    }),
  ];
}

function checkDomains(t: Translator, { CUSTOM_DOMAIN_TARGET: target }: Config): Finding {
  const title = t('Members’ own domains');
  if (target !== undefined)
    return okFinding(
      'domainsOn',
      title,
      target,
      t('Members can point a domain of their own here.'),
    );
  return {
    ...{ code: 'domainsOff', level: 'off', title, ...EMPTY_FIELDS },
    text: t('Members can use a domain of their own for their page.'),
    fix: 'CUSTOM_DOMAIN_TARGET=pages.club.example',
    document: 'docs/custom-domains.md',
  };
}

function checkSignOn(
  t: Translator,
  { OIDC_ISSUER: issuer }: Config,
  { signOnError: error }: SetupState,
): Finding {
  const title = t('Single sign-on');
  const document = 'docs/single-sign-on.md';
  if (issuer === undefined) {
    const text = t('Members sign in with a passkey or a login link.');
    return { code: 'signOnOff', level: 'off', title, ...EMPTY_FIELDS, text, document };
  }
  const { host } = new URL(issuer);
  if (!error) return okFinding('signOnOn', title, host, t('Members can sign in there.'));
  const text = explainSignOnError(t, error, host);
  const ownIssuer = error.details.issuer;
  const fix = ownIssuer === undefined ? null : `OIDC_ISSUER=${ownIssuer}`;
  return warningFinding('signOnFailing', title, { value: host, text, fix, document });
}

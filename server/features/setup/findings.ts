import { listFormat } from '#contract/shared/intl-formats.ts';
import type { Core } from '#server/core.ts';
import { formatCommand } from '#server/platform/settings/format-command.ts';
import { LOOPBACK } from '#server/platform/settings/loopback.ts';
import type { Translator } from '#translations/translator.ts';
import type { AllFeatures } from '../define-feature.ts';
import { completeFindings, type Finding, type NewFinding } from '../finding.ts';
import { mailErrorCode } from '../mails/explain-mail-error.ts';
import { describeMailFailure, SMTP_LINE } from '../mails/mail-finding.ts';
import type { StoredState } from './stored-state.ts';

/** `nameplate check` has no server. */
export type SetupApp = Pick<Core, 'config' | 'dataDir' | 'mailServers'> & {
  features: Pick<AllFeatures, 'listFindings' | 'listToDo'>;
} & Partial<Pick<Core, 'server'>>;

export interface SetupState {
  app: SetupApp;
  /** Undefined if the database cannot be used. */
  stored: StoredState | undefined;
  mailError: string | undefined;
  /** `accepted`, or the error of the last test mail since the start. */
  testMailResult: string | undefined;
}

type FindingCheck = (state: SetupState, t: Translator) => NewFinding | undefined;

const PUBLIC_URL_LINE = 'PUBLIC_URL=https://club.example';
const MAIL_LINES = `${SMTP_LINE}\nMAIL_FROM=office@club.example`;

/** `toDo` is the list of Home. What the mail server just answered replaces what it says about mail. */
export function listFindings(
  state: SetupState,
  { toDo, findings }: Record<'toDo' | 'findings', readonly NewFinding[]>,
  t: Translator,
): Finding[] {
  const own = CHECKS.flatMap((check) => check(state, t) ?? []);
  const codes = new Set(own.map(({ code }) => code));
  return completeFindings([...toDo.filter(({ code }) => !codes.has(code)), ...own, ...findings]);
}

const checkOperators: FindingCheck = ({ stored }, t) => {
  const { total, reachable } = stored?.operators ?? {};
  if (total !== 1 || reachable !== 0) {
    if (stored?.hasSecondLogin !== false) return undefined;
    const text = t(
      'A passkey or a confirmed address. With neither, losing this browser locks you out.',
    );
    return { code: 'loginSingle', level: 'warning', title: t('A second way in'), text };
  }
  const text = t(
    'Add a passkey or confirm an address. Otherwise, you only get back in with the command nameplate login on the server.',
  );
  return { code: 'operatorAlone', level: 'warning', title: t('Your login'), text };
};

const checkAddress: FindingCheck = ({ app, stored }, t) => {
  const { PUBLIC_URL: url } = app.config;
  const about = { title: t('Address'), document: 'docs/public-instance.md', fix: PUBLIC_URL_LINE };
  if (url === undefined) {
    const text = t(
      'Mails, invitations and passkeys need the address that people use. It is set on the server.',
    );
    return { code: 'addressMissing', level: 'warning', ...about, text };
  }
  const { protocol, hostname, host: value } = new URL(url);
  if (LOOPBACK.test(hostname)) {
    const level = app.mailServers.current ? 'warning' : 'off';
    const text = t(
      'Links in mails open only on this computer. Set the address that others use before you invite them.',
    );
    return { code: 'addressSet', level, ...about, value, text };
  }
  if (protocol === 'http:') {
    const fix = `PUBLIC_URL=https://${value}`;
    const text = t(
      'The address is not https, so others on the network can read API keys and session cookies.',
    );
    return { code: 'addressNotHttps', level: 'warning', ...about, value, text, fix };
  }
  const { count, hosts } = stored?.otherPasskeys ?? { count: 0, hosts: [] };
  if (count > 0 && !app.config.FEATURES_OFF.includes('passkeys')) {
    const text = t(
      '{count, plural, one {# passkey works} other {# passkeys work}} only at {hosts}. The members have to sign in another way and add a new one.',
      { count, hosts: listFormat(t.locale).format(hosts) },
    );
    return { code: 'addressSet', level: 'warning', title: about.title, value, text };
  }
  const text = t('Links in mails and on pages use this address.');
  return { code: 'addressSet', level: 'ok', title: about.title, value, text };
};

const checkProxy: FindingCheck = ({ app: { server } }, t) => {
  const value = server?.proxyMonitor.unreadableProxy;
  if (value === undefined) return undefined;
  const text = t(
    'This proxy sends no address of the visitor that can be read, so all visitors count as one and share its limits. It must send the header X-Forwarded-For with the IP address.',
  );
  const about = { title: t('Proxy'), document: 'docs/operations.md' };
  return { code: 'clientAddressUnknown', level: 'warning', ...about, value, text };
};

const checkMail: FindingCheck = ({ app, stored, mailError, testMailResult }, t) => {
  const about = { title: t('Sending mail'), document: 'docs/public-instance.md' };
  const { isUnreadable, current } = app.mailServers;
  if (isUnreadable) {
    const text = t(
      'The mail server connected here is encrypted with another key. Restore that key, or set SMTP_URL.',
    );
    return { code: 'mailUnreadable', level: 'error', ...about, text, fix: MAIL_LINES };
  }
  if (!current) {
    const isSignUpOpen = ['open', 'approval'].includes(app.config.REGISTRATION);
    const text = isSignUpOpen
      ? t('Sign-up is closed until mail is connected. Login links and invitations need it, too.')
      : t('Login links, invitations and notices need a mail server.');
    return { code: 'mailMissing', level: 'warning', ...about, text, fix: MAIL_LINES };
  }
  const { count, error } = stored?.stuckMails ?? { count: 0, error: null };
  const currentError = mailError ?? (testMailResult === 'accepted' ? undefined : testMailResult);
  const code = count > 0 ? (mailError ?? mailErrorCode(error)) : currentError;
  if (code === undefined) {
    const text = testMailResult
      ? t('The mail server accepted the last test mail.')
      : t('The mail server answers. Send a test mail after a change.');
    return { code: 'mailSet', level: 'ok', title: about.title, value: current.sender, text };
  }
  const level = currentError === undefined ? 'warning' : 'error';
  return { ...describeMailFailure(app.mailServers, { code, count }, t), level };
};

/** Until 0.5.0, which no longer reads a mail server that was connected in the dashboard of 0.3. */
const checkStoredMailServer: FindingCheck = ({ app: { config, mailServers }, stored }, t) => {
  if (!stored?.hasMailServer || mailServers.isUnreadable) return undefined;
  const about = { level: 'warning', title: t('Mail server') } as const;
  if (mailServers.isFromEnvironment) {
    const text = t(
      'SMTP_URL is set, so the mail server that was connected in the dashboard is not used. Delete it.',
    );
    const fix = formatCommand(config, 'server.deleteMailSettings');
    return { code: 'mailIgnored', ...about, text, fix };
  }
  const text = t(
    'It was connected in the dashboard, which works until 0.5.0. Set SMTP_URL and MAIL_FROM instead.',
  );
  const fix = formatCommand(config, 'server.exportMailSettings');
  return { code: 'mailStored', ...about, text, fix, document: 'docs/public-instance.md' };
};

const checkClock: FindingCheck = ({ stored }, t) => {
  if (!stored?.clockJumpedAt) return undefined;
  const text = t(
    'The clock jumped, or the server was off for more than a day. Until the clock has run evenly for a day, nothing is deleted because of its age. Compare the time of the server and of its database with a clock, then restart the server.',
  );
  return { code: 'clockJumped', level: 'warning', title: t('Clock'), text };
};

const checkCollation: FindingCheck = ({ stored }, t) => {
  const name = stored?.changedCollation;
  if (name === undefined) return undefined;
  const text = t(
    'Since an update of its system, PostgreSQL sorts text in another way, so indexes may miss rows. Rebuild them as the owner of the database.',
  );
  const fix = `psql "$DATABASE_URL" -c 'REINDEX DATABASE CONCURRENTLY ${name}' -c 'ALTER DATABASE ${name} REFRESH COLLATION VERSION'`;
  return { code: 'collationChanged', level: 'warning', title: t('Database'), text, fix };
};

const checkEncryptionKey: FindingCheck = ({ app: { config, dataDir } }, t) =>
  (config.ENCRYPTION_KEY ?? dataDir)
    ? undefined
    : {
        code: 'encryptionKeyMissing',
        level: 'warning',
        title: t('Encryption key'),
        text: t('Members can only connect email. Set a key that openssl rand -hex 32 prints.'),
        fix: 'ENCRYPTION_KEY=',
        document: 'docs/connections.md',
      };

const checkFeatures: FindingCheck = ({ app: { config } }, t) => {
  const { FEATURES_OFF: off } = config;
  if (off.length === 0) return undefined;
  const text = t('FEATURES_OFF leaves them out. Their data stays, and they can come back.');
  const about = { title: t('Features that are off'), document: 'docs/features.md' };
  return { code: 'featuresOff', level: 'off', ...about, value: off.join(', '), text };
};

const CHECKS: readonly FindingCheck[] = [
  checkOperators,
  checkAddress,
  checkProxy,
  checkMail,
  checkStoredMailServer,
  checkClock,
  checkCollation,
  checkEncryptionKey,
  checkFeatures,
];

import { type Signal, signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { contactEmail } from '#contract/shared/web-url.ts';
import { NameplateError } from '#client/errors.ts';
import { owner } from '#dashboard/api/api.ts';
import { Code } from '#dashboard/components/code.tsx';
import { showFormDialog } from '#dashboard/components/form-dialog.tsx';
import { BoundField } from '#dashboard/components/field.tsx';
import { Icon } from '#dashboard/components/icon.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { showMessage } from '#dashboard/components/messages.tsx';
import { TimeAgo } from '#dashboard/components/time.tsx';
import { dashboardHref } from '#dashboard/router.ts';
import { instance } from '#dashboard/instance.ts';
import { t } from '#dashboard/translate.ts';
import type { ServerState } from './labels.ts';

/** The form that connects a mail server. */
export const MAIL_PATH = 'operator/mail';

export type Finding = ServerState['setup'][number];

const LEVEL_MARKS = {
  warning: ['step-marker warn', 'M8 4v5M8 11.8v.01'],
  ok: ['step-marker good', ICON_PATHS.check],
  off: ['step-marker muted', 'M5.5 8h5'],
} as const;
const LEVEL_NAMES = { warning: t('To do'), ok: t('setup|Done'), off: t('setup|Off') };

const LINKS: Partial<Record<Finding['code'], readonly [path: string, label: string]>> = {
  operatorAlone: ['settings#email', t('Add a passkey or address')],
  groupAddressUnread: ['operator/addresses', t('Choose readers')],
};

/** The commands of docs/public-instance.md and docs/delivery.md. */
const RESTARTS = [
  'systemd: systemctl restart nameplate',
  'Docker Compose: docker compose up --detach',
  t('npm start: Ctrl-C, then npm start'),
].join('\n');

function commands(fix: string): string {
  if (!fix.includes('npx nameplate ')) return fix;
  const command = fix.replace(/^.*\bnpx nameplate /, '');
  return `${fix}
systemd: cd /srv/nameplate && runuser -u nameplate -- node_modules/.bin/node bin/nameplate.js ${command}
Docker Compose: docker compose exec server nameplate ${command}`;
}

export function FindingList({
  findings,
  server,
  openCode,
  onCheck,
  children,
}: {
  findings: readonly Finding[];
  server: ServerState;
  /** The finding whose solution is shown. */
  openCode: Signal<string | undefined>;
  onCheck: () => void;
  /** Rows below the findings. */
  children?: ComponentChildren;
}) {
  return (
    <ul class="server-setup">
      {findings.map((finding) => (
        <FindingRow
          key={finding.code}
          finding={finding}
          lastBackupAt={server.last_backup_at}
          isOpen={openCode.value === finding.code}
          onToggle={() =>
            (openCode.value = openCode.peek() === finding.code ? undefined : finding.code)
          }
          onTestMail={() => void sendTestMail(server.login_email).then(onCheck)}
        />
      ))}
      {children}
    </ul>
  );
}

function FindingRow({
  finding: { code, level, title, value, text, fix, document: documentPath },
  lastBackupAt,
  isOpen,
  onToggle,
  onTestMail,
}: {
  finding: Finding;
  lastBackupAt: string | null;
  isOpen: boolean;
  onToggle: () => void;
  onTestMail: () => void;
}) {
  const [markClass, markPath] = LEVEL_MARKS[level as keyof typeof LEVEL_MARKS];
  // A mail server from the environment has lines for .env instead, if it fails.
  const isMailForm = code.startsWith('mail') && fix === null;
  const [linkPath, linkLabel] = isMailForm
    ? [MAIL_PATH, level === 'warning' ? t('Connect mail') : t('Change')]
    : (LINKS[code] ?? []);
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isOpen) row.current!.scrollIntoView({ block: 'nearest' });
  }, [isOpen]);
  return (
    <li ref={row}>
      <span class={markClass}>
        <Icon path={markPath} />
      </span>
      <div>
        <h3>
          <span class="visually-hidden">{LEVEL_NAMES[level as keyof typeof LEVEL_NAMES]}: </span>
          {title}{' '}
          {code === 'backupOld' && lastBackupAt ? (
            <span class="muted">
              <TimeAgo time={lastBackupAt} />
            </span>
          ) : (
            <span class="muted">{value ?? (level === 'off' && t('setup|off'))}</span>
          )}
        </h3>
        <p class="hint">{text}</p>
      </div>
      <div class="server-actions">
        {(code === 'mailSet' || code === 'mailFailing') && (
          <button type="button" class="quiet" onClick={onTestMail}>
            {t('Send test mail')}
          </button>
        )}
        {linkPath && (
          <a
            class="button quiet"
            // Loads a new document, because mail may have been set up since this one loaded.
            target={code === 'operatorAlone' ? '_self' : undefined}
            href={dashboardHref(linkPath)}
          >
            {linkLabel}
            <span class="visually-hidden"> ({title})</span>
          </a>
        )}
        {!linkPath && (fix ?? documentPath) && (
          <button type="button" class="quiet" aria-expanded={isOpen} onClick={onToggle}>
            {level === 'off' ? t('Set up') : t('How to fix it')}
            <span class="visually-hidden"> ({title})</span>
          </button>
        )}
      </div>
      {isOpen && (fix ?? documentPath) && (
        <Solution
          title={title}
          fix={fix}
          documentPath={documentPath}
          next={code === 'backupFailed' ? t('Then press “Back up now”.') : undefined}
        />
      )}
    </li>
  );
}

/** A text to send to the person who installed the server. */
function writeRequest(fix: string | null, documentPath: string | null): string {
  const isSetting = fix !== null && /^[A-Z_]+=/.test(fix) && !fix.includes(' npx ');
  const steps = isSetting
    ? [
        t(
          'Please write this into the file .env in the folder of Nameplate on our server, in place of lines with the same name. Create the file if it is missing:',
        ),
        fix,
        ...(fix.startsWith('PUBLIC_URL=')
          ? [t('Instead of club.example, our domain, which must lead to this server, with https.')]
          : []),
        t('Then restart the server:'),
        RESTARTS,
      ]
    : fix === null
      ? []
      : [t('Please run this on our Nameplate server:'), commands(fix)];
  const guide =
    documentPath && t('Step by step: {file} in the Nameplate folder.', { file: documentPath });
  return [...steps, guide ?? []].flat().join('\n\n');
}

function Solution({
  title,
  fix,
  documentPath,
  next,
}: {
  title: string;
  /** Lines for the environment file, or for a shell. */
  fix: string | null;
  documentPath: string | null;
  next: string | undefined;
}) {
  return (
    <div class="server-solution">
      <p class="hint">
        {t('This is done on the server itself. If someone else installed it, send them this:')}
      </p>
      <Code text={writeRequest(fix, documentPath)} label={t('solution for {title}', { title })} />
      {next && <p class="hint">{next}</p>}
    </div>
  );
}

export function sendTestMail(ownEmail: string | null): Promise<unknown> {
  const { contact } = instance.peek();
  const email = signal(ownEmail ?? contactEmail(contact) ?? '');
  return showFormDialog({
    title: t('Send a test mail'),
    text: t('The mail is sent at once, and you see whether your mail server accepts it.'),
    fields: ['email'],
    submitLabel: t('Send test mail'),
    onSubmit: async () => {
      const sent = await owner.server.sendTestMail({ email: email.value.trim() });
      if (sent.problem !== null) throw new NameplateError(sent.problem);
      showMessage(t('Your mail server accepted the mail to {email}.', { email: sent.email }));
    },
    render: () => (
      <BoundField signal={email} name="email" label={t('Send to')} type="email" required />
    ),
  });
}

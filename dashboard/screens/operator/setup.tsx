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

/** Adds a passkey or an address. */
export const LOGIN_PATH = 'settings#email';

type Finding = ServerState['setup'][number];

export interface Task {
  iconPath: string;
  tone?: 'tinted' | 'warn';
  title: string;
  /** Behind the title. */
  value?: ComponentChildren;
  text: string;
  button?: string | undefined;
  path?: string | undefined;
  /** The button shows the solution of this finding. */
  finding?: Finding | undefined;
}

const ICONS: readonly (readonly [codes: RegExp, iconPath: string])[] = [
  [/^operator/, ICON_PATHS.passkey],
  [/^mail|^groupAddress/, ICON_PATHS.mail],
  [/^forwarding/, ICON_PATHS.name],
  [/^domains/, ICON_PATHS.link],
  [/^signOn|^encryption/, ICON_PATHS.key],
  [/^backup/, ICON_PATHS.server],
  [/^/, ICON_PATHS.globe],
];

const LINKS: Partial<Record<Finding['code'], readonly [path: string, label: string]>> = {
  operatorAlone: [LOGIN_PATH, t('Add a way in')],
  groupAddressUnread: ['operator/addresses', t('Choose readers')],
};

/** Options are what an operator may leave as it is. Of an address of this computer, one may not. */
export function isOption({ code, level }: Finding): boolean {
  return level !== 'warning' && !/^address|^backupSet/.test(code);
}

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

/** How the setup names a problem or an option. */
export function describeFinding(
  finding: Finding,
  { last_backup_at: lastBackup }: ServerState,
): Task {
  const { code, level, title, value, text, fix, document: documentPath } = finding;
  // A mail server from the environment has lines for .env instead, if it fails.
  const isMailForm = code.startsWith('mail') && fix === null;
  const [path, label] = isMailForm
    ? [MAIL_PATH, level === 'warning' ? t('Connect mail') : t('Change')]
    : (LINKS[code] ?? []);
  const task = {
    iconPath: ICONS.find(([codes]) => codes.test(code))![1],
    title,
    value: code === 'backupOld' && lastBackup ? <TimeAgo time={lastBackup} /> : value,
    text,
  };
  if (level === 'warning') Object.assign(task, { tone: 'warn' });
  if (path !== undefined) return { ...task, path, button: label };
  if (fix === null && documentPath === null) return task;
  return { ...task, finding, button: level === 'off' ? t('Set up') : t('How to fix it') };
}

export function TaskList({
  tasks,
  openCode,
  hasPrimary = false,
}: {
  tasks: readonly Task[];
  /** The finding whose solution is shown. */
  openCode: Signal<string | undefined>;
  /** Whether the first task is the most important action of the screen. */
  hasPrimary?: boolean;
}) {
  return (
    <ul class={hasPrimary ? 'task-list' : 'task-list task-options'}>
      {tasks.map((task, index) => (
        <TaskRow
          key={task.title}
          task={task}
          openCode={openCode}
          isPrimary={hasPrimary && index === 0}
        />
      ))}
    </ul>
  );
}

function TaskRow({
  task: { iconPath, tone, title, value, text, button, path, finding },
  openCode,
  isPrimary,
}: {
  task: Task;
  openCode: Signal<string | undefined>;
  isPrimary: boolean;
}) {
  const isOpen = finding !== undefined && openCode.value === finding.code;
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isOpen) row.current!.scrollIntoView({ block: 'nearest' });
  }, [isOpen]);
  const label = (
    <>
      <span>{button}</span>
      <span class="visually-hidden"> ({title})</span>
    </>
  );
  const buttonClass = isPrimary ? 'button primary' : 'button';
  return (
    <li ref={row}>
      <span class={`tile ${tone ?? ''}`}>
        <Icon path={iconPath} />
      </span>
      <div>
        <h3>
          {title} <span class="muted">{value}</span>
        </h3>
        <p class="hint">{text}</p>
      </div>
      {path !== undefined && (
        <a
          class={buttonClass}
          // Loads a new document, because mail may have been set up since this one loaded.
          target={path === LOGIN_PATH ? '_self' : undefined}
          href={dashboardHref(path)}
        >
          {label}
        </a>
      )}
      {finding && (
        <button
          type="button"
          class={buttonClass}
          aria-expanded={isOpen}
          onClick={() => (openCode.value = isOpen ? undefined : finding.code)}
        >
          {label}
        </button>
      )}
      {isOpen && <Solution finding={finding} />}
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

function Solution({ finding: { code, title, fix, document: documentPath } }: { finding: Finding }) {
  return (
    <div class="server-solution">
      <p class="hint">
        {t('This is done on the server itself. If someone else installed it, send them this:')}
      </p>
      <Code text={writeRequest(fix, documentPath)} label={t('solution for {title}', { title })} />
      {code === 'backupFailed' && <p class="hint">{t('Then press “Back up now”.')}</p>}
      {code === 'mailFailing' && <a href={dashboardHref(MAIL_PATH)}>{t('Send test mail')}</a>}
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

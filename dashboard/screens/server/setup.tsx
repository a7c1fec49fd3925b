import type { Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Code } from '#dashboard/components/code.tsx';
import { ListRow } from '#dashboard/components/list-row.tsx';
import { TimeAgo } from '#dashboard/components/time.tsx';
import { dashboardHref } from '#dashboard/router.ts';
import { t } from '#dashboard/translate.ts';
import type { ServerState } from '../members/labels.ts';
import { MAIL_ACTIONS, sendTestMail, StoredMailSettings } from './mail-actions.tsx';
import { findingIcon, LOGIN_PATH, TO_DO_LINKS } from './to-do-links.ts';

/** The lines that set up mail. */
export const MAIL_PATH = 'operator#mailMissing';

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
  /** What the button does, instead of leading to `path`. */
  run?: (() => Promise<unknown>) | undefined;
  /** The button shows the solution of this finding. */
  finding?: Finding | undefined;
}

/** Options are what an operator may leave as it is. */
export function isOption({ code, level }: Finding): boolean {
  return level !== 'warning' && !/^(address|backupSet|instance|legal|members)/.test(code);
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
  const [path, label] = TO_DO_LINKS[code] ?? [];
  const task = {
    iconPath: findingIcon(code),
    title,
    value: code === 'backupOld' && lastBackup ? <TimeAgo time={lastBackup} /> : value,
    text,
  };
  if (level === 'warning')
    Object.assign(task, { tone: code === 'applicationsWaiting' ? 'tinted' : 'warn' });
  if (path !== undefined) return { ...task, path, button: label };
  const mailAction = MAIL_ACTIONS[code];
  if (mailAction) return { ...task, button: mailAction.label, run: mailAction.run };
  if (fix === null && documentPath === null) return task;
  return { ...task, finding, button: level === 'off' ? t('Set up') : t('How to fix it') };
}

export function TaskList({
  tasks,
  onChange,
  openCode,
  hasPrimary = false,
}: {
  tasks: readonly Task[];
  /** Loads the findings again. */
  onChange: () => void;
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
          onChange={onChange}
          openCode={openCode}
          isPrimary={hasPrimary && index === 0}
        />
      ))}
    </ul>
  );
}

interface TaskRowProps {
  task: Task;
  onChange: () => void;
  openCode: Signal<string | undefined>;
  isPrimary: boolean;
}

function TaskRow(props: TaskRowProps) {
  const { iconPath, tone, title, value, text, finding } = props.task;
  const isOpen = finding !== undefined && props.openCode.value === finding.code;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (isOpen) heading.current!.closest('li')!.scrollIntoView({ block: 'nearest' });
  }, [isOpen]);
  return (
    <ListRow
      icon={iconPath}
      tone={tone ?? ''}
      title={
        <h3 ref={heading}>
          {title} <span class="muted">{value}</span>
        </h3>
      }
      text={text}
      actions={<TaskButton {...props} isOpen={isOpen} />}
      below={isOpen && <Solution finding={finding} onChange={props.onChange} />}
    />
  );
}

function TaskButton({
  task: { title, button, path, run, finding },
  onChange,
  openCode,
  isPrimary,
  isOpen,
}: TaskRowProps & { isOpen: boolean }) {
  const label = (
    <>
      <span>{button}</span>
      <span class="visually-hidden"> ({title})</span>
    </>
  );
  const buttonClass = isPrimary ? 'button primary' : 'button';
  if (path !== undefined)
    return (
      <a
        class={buttonClass}
        // Loads a new document, because mail may have been set up since this one loaded.
        target={path === LOGIN_PATH ? '_self' : undefined}
        href={dashboardHref(path)}
      >
        {label}
      </a>
    );
  if (run)
    return (
      <button type="button" class={buttonClass} onClick={() => void run().then(onChange)}>
        {label}
      </button>
    );
  return (
    finding && (
      <button
        type="button"
        class={buttonClass}
        aria-expanded={isOpen}
        onClick={() => (openCode.value = isOpen ? undefined : finding.code)}
      >
        {label}
      </button>
    )
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
  finding: { code, title, fix, document: documentPath },
  onChange,
}: {
  finding: Finding;
  onChange: () => void;
}) {
  if (code === 'mailStored') return <StoredMailSettings />;
  return (
    <div class="server-solution">
      <p class="hint">
        {t('This is done on the server itself. If someone else installed it, send them this:')}
      </p>
      <Code text={writeRequest(fix, documentPath)} label={t('solution for {title}', { title })} />
      {code === 'backupFailed' && <p class="hint">{t('Then press “Back up now”.')}</p>}
      {code === 'mailFailing' && (
        <button type="button" class="link" onClick={() => void sendTestMail().then(onChange)}>
          {t('Send test mail')}
        </button>
      )}
    </div>
  );
}

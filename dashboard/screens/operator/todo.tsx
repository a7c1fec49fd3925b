import type { Signal } from '@preact/signals';
import { owner } from '#dashboard/api/api.ts';
import { Icon } from '#dashboard/components/icon.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { waitingApplicationCount } from '#dashboard/current-account.ts';
import { t } from '#dashboard/translate.ts';
import type { Instance } from '../appearance/instance-draft.ts';
import { GAP } from '../appearance/markdown.tsx';
import { waitingStep } from './waiting-step.ts';
import { memberName, type ServerState } from './labels.ts';
import { describeFinding, isOption, LOGIN_PATH, type Task, TaskList } from './setup.tsx';
import './server.css';

const MAX_NAMED = 4;
const listFormat = new Intl.ListFormat(t.locale);

export async function loadToDo(server: ServerState) {
  const [{ instance }, { passkeys }, { counts }, { reports }, members] = await Promise.all([
    owner.server.getInstance(),
    owner.passkeys.listPasskeys(),
    owner.invitations.listInvitations({ limit: 1 }),
    owner.reports.listReports({ limit: MAX_NAMED }),
    owner.members.listMembers({ state: 'left_group' }).toArray(),
  ]);
  const leavers = members.filter(({ state }) => state === 'active');
  return { server, instance, passkeys, counts, reports, leavers };
}

export type ToDoData = Awaited<ReturnType<typeof loadToDo>>;

export function ToDo({
  loaded,
  onChange,
  openCode,
}: {
  loaded: ToDoData;
  onChange: () => void;
  openCode: Signal<string | undefined>;
}) {
  const tasks = listTasks(loaded);
  if (tasks.length === 0)
    return (
      <section class="card row" aria-label={t('To do')}>
        <span class="tile round good">
          <Icon path={ICON_PATHS.check} />
        </span>
        <div>
          <h2>{t('Nothing to do')}</h2>
          <p class="hint">{t('Requests, reports and problems appear here.')}</p>
        </div>
      </section>
    );
  return (
    <section class="card" aria-label={t('To do')}>
      <h2>
        {t('To do')} <span class="count">{tasks.length}</span>
      </h2>
      <TaskList tasks={tasks} onChange={onChange} openCode={openCode} hasPrimary />
    </section>
  );
}

/** People first, then what could lock operators out, other problems, and texts. */
export function listTasks({
  server,
  instance,
  passkeys,
  counts,
  reports,
  leavers,
}: ToDoData): Task[] {
  const { setup, accounts, open_reports, login_email } = server;
  const waiting = waitingApplicationCount.value;
  const findings = setup.filter((finding) => finding.level !== 'ok' && !isOption(finding));
  const isReachable =
    passkeys.some(({ host }) => (host ?? location.hostname) === location.hostname) ||
    login_email !== null;
  const isAlone = findings.some(({ code }) => code === 'operatorAlone');
  const invitedCount = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return [
    waiting > 0 && { ...waitingStep(waiting), tone: 'tinted' },
    open_reports > 0 && reportsTask(open_reports, reports),
    leavers.length > 0 && leaversTask(leavers),
    !isReachable && !isAlone && secondLoginTask(),
    ...findings.map((finding) => describeFinding(finding, server)),
    (instance.name === null || instance.contact === null) && {
      iconPath: ICON_PATHS.name,
      title: t('Name and contact'),
      text: t('What your club, school or company is called, and where members can write to.'),
      path: 'operator/appearance',
      button: t('Set up'),
    },
    legalTask(instance),
    accounts.total <= 1 &&
      invitedCount === 0 && {
        iconPath: ICON_PATHS.send,
        title: t('Invite members'),
        text: t('Paste your list, or print one link for everybody.'),
        path: 'operator/members/add',
        button: t('Invite'),
      },
  ].filter((task): task is Task => Boolean(task));
}

/** `reports` are the latest of `count`. */
function reportsTask(count: number, reports: ToDoData['reports']): Task {
  const names = [...new Set(reports.map(({ name }) => `@${name}`))];
  if (reports.length < count) names.push('…');
  return {
    iconPath: ICON_PATHS.flag,
    tone: 'warn',
    title: t('{count, plural, one {# open report} other {# open reports}}', { count }),
    text: t('About {names}', { names: listFormat.format(names) }),
    path: 'operator/reports',
    button: t('{count, plural, one {Look at it} other {Look at them}}', { count }),
  };
}

function leaversTask(leavers: ToDoData['leavers']): Task {
  const count = leavers.length;
  const names = leavers.slice(0, MAX_NAMED).map(memberName);
  if (names.length < count) names.push('…');
  return {
    iconPath: ICON_PATHS.user,
    tone: 'warn',
    title: t('{count, plural, one {# member left the group} other {# members left the group}}', {
      count,
    }),
    text: t('Keys and passkeys of {names} work until you suspend the account.', {
      names: listFormat.format(names),
    }),
    path: 'operator/members?state=left_group',
    button: t('{count, plural, one {Look at it} other {Look at them}}', { count }),
  };
}

function secondLoginTask(): Task {
  return {
    iconPath: ICON_PATHS.passkey,
    tone: 'warn',
    title: t('A second way in'),
    text: t('A passkey or a confirmed address. With neither, losing this browser locks you out.'),
    path: LOGIN_PATH,
    button: t('Add one'),
  };
}

/** Drafts contain gaps to fill in. */
function isComplete(text: string | null): boolean {
  return text !== null && text.search(GAP) === -1;
}

function legalTask(instance: Instance): Task | undefined {
  const hasImprint = isComplete(instance.imprint ?? instance.imprint_url);
  const hasPrivacy = isComplete(instance.privacy ?? instance.privacy_url);
  if (hasImprint && hasPrivacy) return undefined;
  const problem = hasImprint
    ? t('The privacy policy is missing or has gaps.')
    : hasPrivacy
      ? t('The imprint is missing or has gaps.')
      : t('An imprint says who runs a site. Paste your texts, or fill in our drafts.');
  return {
    iconPath: ICON_PATHS.page,
    title: t('Imprint and privacy'),
    text: problem,
    path: 'operator/legal',
    button: t('Write them'),
  };
}

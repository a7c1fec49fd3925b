import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { owner } from '#dashboard/api/api.ts';
import { AsyncContent } from '#dashboard/components/async-content.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { Icon } from '#dashboard/components/icon.tsx';
import { ListRow } from '#dashboard/components/list-row.tsx';
import { Meter } from '#dashboard/components/meter.tsx';
import { ScreenHeader } from '#dashboard/components/screen-header.tsx';
import { Sparkline } from '#dashboard/components/sparkline.tsx';
import { TimeAgo } from '#dashboard/components/time.tsx';
import { useAsync } from '#dashboard/components/use-async.ts';
import { isOn } from '#dashboard/facts.ts';
import { dashboardHref, fragment } from '#dashboard/router.ts';
import { pagesUrl } from '#dashboard/session.ts';
import { t } from '#dashboard/translate.ts';
import { type Member, type ServerState, memberName, formatAmount } from '../members/labels.ts';
import { MemberFace } from '../members/member-face.tsx';
import { BackupCard } from './backup-card.tsx';
import { describeFinding, isOption, TaskList } from './setup.tsx';
import { listTasks, ToDoList } from './todo.tsx';
import './server.css';

const NEWEST_MEMBERS = 4;

async function loadServer() {
  const [server, { members }] = await Promise.all([
    owner.server.getServer(),
    owner.members.listMembers({ limit: NEWEST_MEMBERS }),
  ]);
  return { server, members };
}

export function Server() {
  const state = useAsync(loadServer);
  const openCode = useSignal<string | undefined>(undefined);
  useEffect(() => {
    if (fragment.value) openCode.value = fragment.value;
  }, [fragment.value]);
  // The first task has the only black button.
  const hasTasks = state.value && listTasks(state.value.server).length > 0;
  const { host } = new URL(pagesUrl);
  return (
    <>
      <ScreenHeader
        title={t('Your server')}
        subtitle={
          state.value
            ? t('{host}, version {version}', { host, version: state.value.server.version })
            : host
        }
      >
        <a class="button only-wide" href={`${pagesUrl}/`} target="_blank" rel="noreferrer">
          {t('Front page')}
          <Icon path={ICON_PATHS.externalLink} />
        </a>
        {isOn('invitations') && (
          <a
            class={hasTasks === false ? 'button primary' : 'button'}
            href={dashboardHref('operator/members/add')}
          >
            <Icon path={ICON_PATHS.plus} />
            {t('Add members')}
          </a>
        )}
      </ScreenHeader>
      <AsyncContent state={state}>
        {({ server, members }) => (
          <>
            <ToDoList server={server} onChange={state.reload} openCode={openCode} />
            <Statistics server={server} />
            <div class="main-and-side">
              <div>
                <section class="card">
                  <h2>{t('Optional')}</h2>
                  <TaskList
                    tasks={listOptions(server)}
                    onChange={state.reload}
                    openCode={openCode}
                  />
                </section>
                {server.backups && (
                  <BackupCard
                    backups={server.backups}
                    hasFailed={server.setup.some(({ code }) => code === 'backupFailed')}
                    onChange={state.reload}
                    poll={state.poll}
                  />
                )}
              </div>
              <div>
                <NewestMembers members={members} />
                <Storage storage={server.storage} />
              </div>
            </div>
          </>
        )}
      </AsyncContent>
    </>
  );
}

function listOptions(server: ServerState) {
  return server.setup.filter(isOption).map((finding) => ({
    ...describeFinding(finding, server),
    value: finding.level === 'ok' && <span class="pill good">{t('setup|On')}</span>,
    text: [finding.value, finding.text].filter(Boolean).join(': '),
  }));
}

function Statistics({ server: { accounts } }: { server: ServerState }) {
  const created = accounts.created_per_week;
  const olderTotal = accounts.total - created.reduce((sum, week) => sum + week, 0);
  const totals = created.map((_, index) =>
    created.slice(0, index + 1).reduce((sum, week) => sum + week, olderTotal),
  );
  return (
    <section class="card stats server-numbers" aria-label={t('Numbers')}>
      <div>
        <span class="hint">{t('Members')}</span>
        <strong class="figure-value">{formatAmount('', accounts.total)}</strong>
        <Sparkline values={totals} isTotal />
      </div>
      <Statistic title={t('Joined within 7 days')} value={created.at(-1) ?? 0} />
      <Statistic title={t('Signed in within 7 days')} value={accounts.seen_last_week} />
      <Statistic title={t('Public pages')} value={accounts.visible_pages} />
    </section>
  );
}

function Statistic({ title, value }: { title: string; value: number }) {
  return (
    <div>
      <span class="hint">{title}</span>
      <p>
        <strong class="figure-value">{formatAmount('', value)}</strong>
      </p>
    </div>
  );
}

function NewestMembers({ members }: { members: readonly Member[] }) {
  return (
    <section class="card">
      <div class="card-head">
        <h2>{t('Newest members')}</h2>
        <a href={dashboardHref('operator/members')}>{t('Show all')}</a>
      </div>
      <ul>
        {members.map((member) => (
          <ListRow
            key={member.id}
            sign={<MemberFace member={member} />}
            title={
              <a href={dashboardHref(`operator/members/${member.id}`)}>
                {member.page_title ?? memberName(member)}
              </a>
            }
            text={member.page_title ? memberName(member) : member.email}
            end={<TimeAgo time={member.created_at} />}
          />
        ))}
      </ul>
    </section>
  );
}

function Storage({ storage }: Pick<ServerState, 'storage'>) {
  const { database_bytes: total, free_bytes: free } = storage;
  const parts = [
    storage.picture_bytes,
    storage.metric_bytes,
    Math.max(0, total - storage.picture_bytes - storage.metric_bytes),
  ];
  const [pictures, metrics, rest] = parts.map((bytes) => formatAmount('bytes', bytes));
  return (
    <section class="card">
      <div class="card-head">
        <h2>{t('Storage')}</h2>
        <span class="hint">
          {free === null
            ? formatAmount('bytes', total)
            : t('{free} free', { free: formatAmount('bytes', free) })}
        </span>
      </div>
      <Meter parts={parts} total={total + (free ?? 0)} />
      <p class="hint">
        {t('{pictures} pictures, {metrics} metrics, {rest} the rest', {
          pictures: pictures!,
          metrics: metrics!,
          rest: rest!,
        })}
      </p>
    </section>
  );
}

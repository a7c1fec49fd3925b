import { type Signal, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { owner } from '#dashboard/api/api.ts';
import { AsyncContent } from '#dashboard/components/async-content.tsx';
import { Icon } from '#dashboard/components/icon.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { ScreenHeader } from '#dashboard/components/screen-header.tsx';
import { Sparkline } from '#dashboard/components/sparkline.tsx';
import { LocalDate, TimeAgo } from '#dashboard/components/time.tsx';
import { useAsync } from '#dashboard/components/use-async.ts';
import { waitingApplicationCount } from '#dashboard/current-account.ts';
import { dashboardHref, fragment } from '#dashboard/router.ts';
import { pagesUrl } from '#dashboard/session.ts';
import { t } from '#dashboard/translate.ts';
import { type ServerState, memberName, formatAmount } from './labels.ts';
import { applicationsStep, type AttentionStep } from './applications-step.ts';
import { MemberFace } from './member-face.tsx';
import { BackupCard } from './backup-card.tsx';
import { Facts } from './facts.tsx';
import { isUnfinished, loadSteps, LOGIN_PATH, StepList } from './first-day.tsx';
import { FindingList, type Finding } from './setup.tsx';
import './operator.css';
import './server.css';

const LIST_LENGTH = 4;
const listFormat = new Intl.ListFormat(t.locale);

async function loadServer() {
  const serverRequest = owner.server.getServer();
  const [server, steps, { reports }, { members: accounts }, { members: operators }] =
    await Promise.all([
      serverRequest,
      serverRequest.then(loadSteps),
      owner.reports.listReports({ limit: LIST_LENGTH }),
      owner.members.listMembers({ limit: LIST_LENGTH }),
      owner.members.listMembers({ state: 'operators', limit: LIST_LENGTH }),
    ]);
  return { server, steps, reports, accounts, operators };
}

type ServerData = Awaited<ReturnType<typeof loadServer>>;

export function Server() {
  const state = useAsync(loadServer);
  const openCode = useSignal<string | undefined>(undefined);
  useEffect(() => {
    if (fragment.value) openCode.value = fragment.value;
  }, [fragment.value]);
  const openSteps = state.value && listOpenSteps(state.value);
  return (
    <>
      <ScreenHeader title={t('Your server')} subtitle={new URL(pagesUrl).host}>
        <a class="button" href={`${pagesUrl}/`} target="_blank" rel="noreferrer">
          {t('Front page')}
          <Icon path={ICON_PATHS.externalLink} />
        </a>
        <a
          // The next step has the only black button.
          class={openSteps?.length ? 'button' : 'button primary'}
          href={dashboardHref('operator/members/add')}
        >
          <Icon path={ICON_PATHS.plus} />
          {t('Add members')}
        </a>
      </ScreenHeader>
      <AsyncContent state={state}>
        {(loaded) => (
          <>
            <NeedsAttention loaded={loaded} openCode={openCode} onCheck={state.reload} />
            <Statistics server={loaded.server} />
            <div class="main-and-side">
              <div>
                {openSteps!.length > 0 && <StepList steps={loaded.steps} listed={openSteps!} />}
                {loaded.server.backups && (
                  <BackupCard
                    backups={loaded.server.backups}
                    hasFailed={loaded.server.setup.some(({ code }) => code === 'backupFailed')}
                    onChange={state.reload}
                    onFix={() => (openCode.value = 'backupFailed')}
                  />
                )}
                <section class="card">
                  <h2>{t('Setup')}</h2>
                  <FindingList
                    findings={loaded.server.setup.filter(
                      ({ level, code }) => level !== 'warning' && code !== 'backupSet',
                    )}
                    server={loaded.server}
                    openCode={openCode}
                    onCheck={state.reload}
                  />
                </section>
              </div>
              <div>
                <MemberList title={t('Newest members')} accounts={loaded.accounts} />
                <Operators operators={loaded.operators} />
                <Storage storage={loaded.server.storage} />
                <SystemInfo server={loaded.server} />
              </div>
            </div>
          </>
        )}
      </AsyncContent>
    </>
  );
}

/** The steps that no finding on this screen names. */
function listOpenSteps({ steps, server: { setup } }: ServerData) {
  const isAlone = setup.some(({ code }) => code === 'operatorAlone');
  return steps.filter((step) => isUnfinished(step) && !(isAlone && step.path === LOGIN_PATH));
}

const isWarning = ({ level }: Finding) => level === 'warning';

/** The warnings of the setup, then applications and open reports. */
function NeedsAttention({
  loaded: { server, reports },
  openCode,
  onCheck,
}: {
  loaded: ServerData;
  openCode: Signal<string | undefined>;
  onCheck: () => void;
}) {
  const warnings = server.setup.filter(isWarning);
  const waiting = waitingApplicationCount.value;
  const count = warnings.length + (server.open_reports > 0 ? 1 : 0) + (waiting > 0 ? 1 : 0);
  return (
    <section class="card" aria-labelledby="needs-you">
      <div class="card-head">
        <h2 id="needs-you" class="row">
          {count > 0 ? (
            <>
              {t('Needs you')} <span class="count">{count}</span>
            </>
          ) : (
            <>
              <span class="step-marker good">
                <Icon path={ICON_PATHS.check} />
              </span>
              {t('Nothing needs you right now.')}
            </>
          )}
        </h2>
        <button type="button" class="quiet" onClick={onCheck}>
          <Icon path={ICON_PATHS.refresh} />
          {t('Check again')}
        </button>
      </div>
      {count > 0 && (
        <FindingList findings={warnings} server={server} openCode={openCode} onCheck={onCheck}>
          {waiting > 0 && <Attention {...applicationsStep(waiting)} />}
          {server.open_reports > 0 && <OpenReports count={server.open_reports} reports={reports} />}
        </FindingList>
      )}
    </section>
  );
}

/** `reports` are the latest of `count`. */
function OpenReports({ count, reports }: { count: number; reports: ServerData['reports'] }) {
  const names = [...new Set(reports.map(({ name }) => `@${name}`))];
  if (reports.length < count) names.push('…');
  return (
    <Attention
      iconPath={ICON_PATHS.flag}
      title={t('{count, plural, one {# open report} other {# open reports}}', { count })}
      text={t('About {names}', { names: listFormat.format(names) })}
      path="operator/reports"
      button={t('{count, plural, one {Look at it} other {Look at them}}', { count })}
    />
  );
}

function Attention({ iconPath, title, text, path, button }: AttentionStep) {
  return (
    <li>
      <span class="step-marker warn">
        <Icon path={iconPath} />
      </span>
      <div>
        <h3>{title}</h3>
        <p class="hint">{text}</p>
      </div>
      <div class="server-actions">
        <a class="button quiet" href={dashboardHref(path)}>
          {button}
        </a>
      </div>
    </li>
  );
}

function Statistics({ server: { accounts, mail } }: { server: ServerState }) {
  const created = accounts.created_per_week;
  const newest = created.at(-1) ?? 0;
  const olderTotal = accounts.total - created.reduce((sum, week) => sum + week, 0);
  const totals = created.map((_, index) =>
    created.slice(0, index + 1).reduce((sum, week) => sum + week, olderTotal),
  );
  return (
    <section class="card server-numbers" aria-label={t('Numbers')}>
      <div>
        <span class="hint">{t('Members')}</span>
        <p>
          <strong class="figure-value">{formatAmount('', accounts.total)}</strong>
          {newest > 0 && (
            <span class="change up">{t('{count, number} this week', { count: newest })}</span>
          )}
        </p>
        <Sparkline values={totals} />
      </div>
      <Statistic title={t('Signed in')} value={accounts.seen_last_week} note={t('this week')} />
      <Statistic
        title={t('Visible pages')}
        value={accounts.visible_pages}
        note={t('of {count, plural, one {# name} other {# names}}', { count: accounts.named })}
      />
      <Statistic
        title={t('Mails waiting')}
        value={mail.waiting}
        note={mail.failed > 0 ? t('{count, number} given up', { count: mail.failed }) : ''}
      />
    </section>
  );
}

function Statistic({ title, value, note }: { title: string; value: number; note: string }) {
  return (
    <div>
      <span class="hint">{title}</span>
      <p>
        <strong class="figure-value">{formatAmount('', value)}</strong>
        <span class="hint">{note}</span>
      </p>
    </div>
  );
}

function Operators({ operators }: Pick<ServerData, 'operators'>) {
  return (
    <MemberList title={t('Operators')} filter="?state=operators" accounts={operators}>
      {operators.length === 1 && (
        <>
          <p class="hint">
            {t(
              'A second operator can let you back in: open the menu of a member, “Make an operator”.',
            )}
          </p>
          <a class="button" href={dashboardHref('operator/members')}>
            {t('Choose a second one')}
          </a>
        </>
      )}
    </MemberList>
  );
}

function MemberList({
  title,
  filter = '',
  accounts,
  children,
}: Pick<ServerData, 'accounts'> & {
  title: string;
  filter?: string;
  children?: ComponentChildren;
}) {
  return (
    <section class="card">
      <div class="card-head">
        <h2>{title}</h2>
        <a href={dashboardHref(`operator/members${filter}`)}>{t('Show all')}</a>
      </div>
      <ul class="row-list server-list">
        {accounts.map((member) => (
          <li key={member.id}>
            <MemberFace member={member} />
            <span class="grow">
              <a class="strong ellipsis" href={dashboardHref(`operator/members/${member.id}`)}>
                {member.page_title ?? memberName(member)}
              </a>
              <span class="hint ellipsis">
                {member.page_title ? memberName(member) : member.email}
              </span>
            </span>
            <span class="hint">
              <TimeAgo time={member.created_at} />
            </span>
          </li>
        ))}
      </ul>
      {children}
    </section>
  );
}

function Storage({ storage }: Pick<ServerState, 'storage'>) {
  const { database_bytes: total, free_bytes: free } = storage;
  const amount = (children: ComponentChildren) => <strong>{children}</strong>;
  const parts = [
    [t('Pictures'), storage.picture_bytes],
    [t('Metrics'), storage.metric_bytes],
    [t('Everything else'), Math.max(0, total - storage.picture_bytes - storage.metric_bytes)],
  ] as const;
  return (
    <section class="card">
      <div class="card-head">
        <h2>{t('Storage')}</h2>
        <span class="hint">
          {free === null
            ? amount([formatAmount('bytes', total)])
            : t.rich('<amount>{total}</amount>, {free} free', {
                total: formatAmount('bytes', total),
                free: formatAmount('bytes', free),
                amount,
              })}
        </span>
      </div>
      <div class="server-meter" aria-hidden="true">
        {parts.map(([title, bytes]) => (
          <i key={title} style={{ width: `${(bytes / total) * 100}%` }} />
        ))}
      </div>
      <dl class="server-facts">
        {parts.map(([title, bytes]) => (
          <div key={title}>
            <dt>
              <i class="swatch" aria-hidden="true" />
              {title}
            </dt>
            <dd>{formatAmount('bytes', bytes)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function SystemInfo({ server }: { server: ServerState }) {
  return (
    <section class="card">
      <h2>{t('This server')}</h2>
      <Facts
        facts={{
          [t('Version')]: server.version,
          [t('Running since')]: <LocalDate time={server.started_at} />,
          PostgreSQL: server.database_version,
        }}
      />
    </section>
  );
}

import { useEffect } from 'preact/hooks';
import {
  type ReportOutcome,
  type ReportReason,
  reportReasonLabels,
} from '#contract/shared/report-reasons.ts';
import { type ResponseOf, owner } from '#dashboard/api/api.ts';
import { loadCurrentAccount } from '#dashboard/current-account.ts';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { showMessage, withErrorMessage } from '#dashboard/components/messages.tsx';
import { Empty } from '#dashboard/components/async-content.tsx';
import { BatchList, useBatches } from '#dashboard/components/batch-list.tsx';
import { ScreenHeader } from '#dashboard/components/screen-header.tsx';
import { TimeAgo } from '#dashboard/components/time.tsx';
import { visuallyHidden } from '#dashboard/components/visually-hidden.tsx';
import { dashboardHref, navigate, query } from '#dashboard/router.ts';
import { pagesUrl } from '#dashboard/session.ts';
import { t } from '#dashboard/translate.ts';
import './operator.css';
import { hiddenPageHref, PageCard } from './page-card.tsx';
import { hidePage, resumeMember, suspendMember } from './suspend-member.tsx';

const REASON_LABELS = reportReasonLabels(t);

type Report = ResponseOf<typeof owner.reports.listReports>['reports'][number];

export function Reports() {
  const state = query.value.get('state') === 'closed' ? 'closed' : 'open';
  const accountId = query.value.get('account');
  // Updates the report count in the menu. If this fails, the menu keeps the old count.
  useEffect(() => void loadCurrentAccount().catch(() => undefined), [state]);
  return (
    <>
      <ScreenHeader
        title={t('Reports')}
        subtitle={
          accountId === null
            ? t('Pages that visitors have reported.')
            : t('Reports about one member only.')
        }
      />
      <div class="row" role="group" aria-label={t('State of reports')}>
        {(['open', 'closed'] as const).map((value) => (
          <button
            key={value}
            type="button"
            class="chip"
            aria-pressed={state === value}
            onClick={() =>
              navigate(value === 'open' ? 'operator/reports' : 'operator/reports?state=closed', {
                replace: true,
              })
            }
          >
            {value === 'open' ? t('report|Open') : t('report|History')}
          </button>
        ))}
      </div>
      <ReportsCard state={state} {...(accountId !== null && { accountId })} showsPage />
    </>
  );
}

export function ReportsCard({
  state = 'open',
  accountId,
  showsPage = false,
  onClosed,
}: {
  state?: 'open' | 'closed';
  accountId?: string;
  /** Whether to show which page was reported, with actions for it. */
  showsPage?: boolean;
  onClosed?: () => void;
}) {
  const filter = { state, ...(accountId !== undefined && { account_id: accountId }) };
  const list = useBatches(
    (cursor) => owner.reports.listReports({ ...filter, ...cursor }),
    ({ reports }) => reports,
    [state, accountId],
  );
  const { loaded } = list;
  const reload = () => {
    loaded.reload();
    loadCurrentAccount().catch(() => undefined);
    onClosed?.();
  };
  return (
    <section class="card">
      {!showsPage && (
        <div class="card-head">
          <h2>
            {loaded.value && list.rows.length === 0 ? t('No open reports') : t('Open reports')}
          </h2>
          <a href={dashboardHref(`operator/reports?state=closed&account=${accountId}`)}>
            {t('report|History')}
          </a>
        </div>
      )}
      <BatchList list={list} empty={showsPage && <NoReports state={state} />}>
        {(reports) => (
          <ul class="row-list operator-reports">
            {groupReports(reports).map((group) => (
              <li key={group[0].id}>
                <ReportGroup reports={group} showsPage={showsPage} onChange={reload} />
              </li>
            ))}
          </ul>
        )}
      </BatchList>
    </section>
  );
}

type Group = [Report, ...Report[]];

/** Reports of one page are answered together. */
function groupReports(reports: readonly Report[]): Group[] {
  const groups = Map.groupBy(reports, ({ closed_at, account_id }) => `${account_id} ${closed_at}`);
  return [...groups.values()] as Group[];
}

const isPageHidden = ({ account_suspended, page_suspended }: Report) =>
  account_suspended || page_suspended;

async function dismiss(report: Report, reload: () => void): Promise<void> {
  const report_ids = await listGroupIds(report);
  const { closed: count } = await owner.reports.closeReports({ report_ids });
  reload();
  showMessage(
    t('No problem: closed {count, plural, one {the report} other {# reports}}.', { count }),
    {
      label: t('Undo'),
      run: () => void withErrorMessage(reopen(report_ids, reload)),
    },
  );
}

async function reopen(report_ids: string[], reload: () => void): Promise<void> {
  await owner.reports.reopenReports({ report_ids });
  reload();
}

async function reopenGroup(report: Report, reload: () => void): Promise<void> {
  await reopen(await listGroupIds(report), () => {
    navigate('operator/reports', { replace: true });
    reload();
  });
}

/**
 * Reports of the same group, also those that are not loaded yet. Leaves out newer reports, which
 * the operator has not seen.
 */
async function listGroupIds({ account_id, closed_at, created_at }: Report): Promise<string[]> {
  const ids: string[] = [];
  const state = closed_at === null ? 'open' : 'closed';
  for await (const report of owner.reports.listReports({ account_id, state }))
    if (report.closed_at === closed_at && report.created_at <= created_at) ids.push(report.id);
  return ids;
}

function NoReports({ state }: { state: 'open' | 'closed' }) {
  return (
    <Empty
      icon={ICON_PATHS.check}
      title={state === 'open' ? t('No open reports') : t('No reports')}
    >
      <p class="muted">{t('Visitors report a page with the link at the bottom of it.')}</p>
      <a href={dashboardHref('operator/members?state=suspended')}>{t('Suspended or hidden')}</a>
    </Empty>
  );
}

function ReportGroup({
  reports,
  showsPage,
  onChange,
}: {
  reports: Group;
  /** Whether to show which page was reported, with actions for it. */
  showsPage: boolean;
  onChange: () => void;
}) {
  const [newest] = reports;
  return (
    <>
      {showsPage && !isPageHidden(newest) && <PageCard name={newest.display_name ?? newest.name} />}
      <div class="operator-report">
        {showsPage && <ReportedPage report={newest} />}
        {reports.map((report) => (
          <OneReport key={report.id} report={report} />
        ))}
        {newest.closed_at !== null && <Outcome report={newest} />}
        <div class="row">
          {showsPage && <PageActions report={newest} onChange={onChange} />}
          {newest.closed_at === null && (
            <button type="button" onClick={() => void withErrorMessage(dismiss(newest, onChange))}>
              {t.rich('No problem<hidden> with the page of {name}</hidden>', {
                name: newest.name,
                hidden: visuallyHidden,
              })}
            </button>
          )}
          {newest.outcome === 'dismissed' && (
            <button
              type="button"
              class="link"
              onClick={() => void withErrorMessage(reopenGroup(newest, onChange))}
            >
              {t('Open again')}
            </button>
          )}
        </div>
      </div>
    </>
  );
}

function PageActions({ report, onChange }: { report: Report; onChange: () => void }) {
  const { name, closed_at, account_suspended } = report;
  const member = {
    ...report,
    id: report.account_id,
    state: account_suspended ? ('suspended' as const) : ('active' as const),
  };
  return (
    <>
      {isInForce(report) && (
        <button type="button" onClick={() => resumeMember(member, onChange)}>
          {account_suspended
            ? t.rich('Resume account<hidden> of {name}</hidden>', { name, hidden: visuallyHidden })
            : t.rich('Show page again<hidden>: {name}</hidden>', { name, hidden: visuallyHidden })}
        </button>
      )}
      {closed_at === null && !isPageHidden(report) && (
        <button type="button" class="danger" onClick={() => hidePage(member, onChange)}>
          {t.rich('Hide page<hidden> of {name}</hidden>', { name, hidden: visuallyHidden })}
        </button>
      )}
      {closed_at === null && !account_suspended && (
        <button type="button" class="danger" onClick={() => suspendMember(member, onChange)}>
          {t.rich('Suspend account<hidden> of {name}</hidden>', { name, hidden: visuallyHidden })}
        </button>
      )}
    </>
  );
}

function OneReport({
  report: { name, reason, count, created_at, text, email },
}: {
  report: Report;
}) {
  return (
    <>
      <div class="row">
        <span class="pill warn">{REASON_LABELS[reason as ReportReason]}</span>
        {count > 1 && <span class="pill">{t('{count, number} times', { count })}</span>}
        <span class="hint">
          <TimeAgo time={created_at} />
        </span>
      </div>
      {text && <p class="operator-text">{text}</p>}
      {email && (
        <p class="hint">
          {t('Reply to')} <MailLink name={name} email={email} isReporter />
        </p>
      )}
    </>
  );
}

/** Opens the draft of a mail. `URLSearchParams` would encode spaces as `+`. */
function MailLink({
  name,
  email,
  isReporter = false,
}: {
  name: string;
  email: string;
  isReporter?: boolean;
}) {
  const subject = encodeURIComponent(
    isReporter
      ? t('Your report about @{name}', { name })
      : t('The page @{name} was reported', { name }),
  );
  const body = encodeURIComponent(`${pagesUrl}/@${name}\n\n`);
  return <a href={`mailto:${email}?subject=${subject}&body=${body}`}>{email}</a>;
}

function ReportedPage({ report }: { report: Report }) {
  const { account_id, name, display_name, login_email: owner_email, earlier_reports } = report;
  return (
    <div class="row">
      <a class="strong" href={dashboardHref(`operator/members/${account_id}`)}>
        @{name}
      </a>
      <a
        href={
          isPageHidden(report) ? hiddenPageHref(account_id) : `${pagesUrl}/@${display_name ?? name}`
        }
        target="_blank"
        rel="noreferrer"
      >
        {t.rich('View page<hidden> of {name}</hidden>', { name, hidden: visuallyHidden })}
      </a>
      {earlier_reports > 0 && (
        <a href={dashboardHref(`operator/reports?state=closed&account=${account_id}`)}>
          {t('{count, plural, one {# earlier report} other {# earlier reports}}', {
            count: earlier_reports,
          })}
        </a>
      )}
      {owner_email && (
        <span class="hint">
          {t('Write to the member:')} <MailLink name={name} email={owner_email} />
        </span>
      )}
    </div>
  );
}

const OUTCOME_LABELS: Readonly<Record<ReportOutcome, string>> = {
  dismissed: t('No problem'),
  hidden: t('Page hidden'),
  suspended: t('Account suspended'),
};

const END_LABELS: Readonly<Partial<Record<ReportOutcome, string>>> = {
  hidden: t('Page shown again'),
  suspended: t('Account resumed'),
};

const isInForce = (report: Report) =>
  isPageHidden(report) &&
  report.closed_at !== null &&
  report.outcome !== 'dismissed' &&
  report.ended_at === null;

function Outcome({ report }: { report: Report }) {
  const { closed_at, closed_by, closed_reason, ended_at, ended_by, page_changed } = report;
  const outcome = report.outcome as ReportOutcome;
  return (
    <>
      <Decision label={OUTCOME_LABELS[outcome]} by={closed_by} time={closed_at!} />
      {closed_reason !== null && <q class="hint">{closed_reason}</q>}
      {isInForce(report) && page_changed && <strong>{t('The page was changed since then')}</strong>}
      {outcome !== 'dismissed' && ended_at !== null && (
        <Decision label={END_LABELS[outcome]!} by={ended_by} time={ended_at} />
      )}
    </>
  );
}

function Decision({ label, by, time }: { label: string; by: string | null; time: string }) {
  return (
    <span class="row hint">
      <strong>{label}</strong>
      {by !== null && <span>{t('by @{name}', { name: by })}</span>}
      <TimeAgo time={time} />
    </span>
  );
}

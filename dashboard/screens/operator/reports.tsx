import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import {
  type ReportOutcome,
  type ReportReason,
  reportReasonLabels,
} from '#contract/shared/report-reasons.ts';
import { type ResponseOf, owner } from '#dashboard/api/api.ts';
import { loadCurrentAccount, openReportCount } from '#dashboard/current-account.ts';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { Icon } from '#dashboard/components/icon.tsx';
import { Menu, type MenuItem } from '#dashboard/components/menu.tsx';
import { announce, showMessage, withErrorMessage } from '#dashboard/components/messages.tsx';
import { Empty } from '#dashboard/components/async-content.tsx';
import { BatchList, useBatches } from '#dashboard/components/batch-list.tsx';
import { ScreenHeader } from '#dashboard/components/screen-header.tsx';
import { SegmentedControl } from '#dashboard/components/segmented-control.tsx';
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
  const show = (next: 'open' | 'closed') =>
    navigate(next === 'open' ? 'operator/reports' : 'operator/reports?state=closed', {
      replace: true,
    });
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
      <SegmentedControl
        label={t('State of reports')}
        look="tabs"
        value={state}
        options={[
          [
            'open',
            <>
              {t('report|Open')} <span class="count">{openReportCount.value || ''}</span>
            </>,
          ],
          ['closed', t('report|History')],
        ]}
        onValue={show}
      />
      <ReportCards key={`${state} ${accountId}`} state={state} accountId={accountId} />
    </>
  );
}

function useReports(state: 'open' | 'closed', account_id: string | null) {
  const filter = { state, ...(account_id !== null && { account_id }) };
  return useBatches(
    (cursor) => owner.reports.listReports({ ...filter, ...cursor }),
    ({ reports }) => reports,
    [state, account_id],
  );
}

type Result = Parameters<typeof showMessage>;

/** A card for each page. A closed one keeps its place until the next visit. */
function ReportCards({ state, accountId }: { state: 'open' | 'closed'; accountId: string | null }) {
  const list = useReports(state, accountId);
  const results = useSignal<Readonly<Record<string, Result | undefined>>>({});
  const setResult = (group: Group, result?: Result) => {
    results.value = { ...results.value, [group[0].id]: result };
    loadCurrentAccount().catch(() => undefined);
    if (state === 'closed') list.loaded.reload();
  };
  return (
    <BatchList list={list} empty={<NoReports state={state} />}>
      {(reports) => (
        <ul class="operator-report-cards">
          {groupReports(reports).map((group) => {
            const result = state === 'open' && results.value[group[0].id];
            return (
              <li key={group[0].id} class="card">
                {result ? (
                  <ClosedReports result={result} />
                ) : (
                  <ReportedPage
                    reports={group}
                    report={group[0]}
                    onChange={() => setResult(group)}
                    onResult={(...next) => setResult(group, next)}
                  />
                )}
              </li>
            );
          })}
        </ul>
      )}
    </BatchList>
  );
}

function ClosedReports({ result: [text, undo] }: { result: Result }) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    announce(text);
    button.current?.focus();
  }, []);
  return (
    <div class="row operator-closed">
      <Icon path={ICON_PATHS.check} />
      <span class="grow">{text}</span>
      {undo && (
        <button ref={button} type="button" class="link" onClick={undo.run}>
          {undo.label}
        </button>
      )}
    </div>
  );
}

/** The open reports about one member. */
export function ReportsCard({ accountId, onClosed }: { accountId: string; onClosed: () => void }) {
  const list = useReports('open', accountId);
  const reload = () => {
    list.loaded.reload();
    loadCurrentAccount().catch(() => undefined);
    onClosed();
  };
  return (
    <section class="card">
      <div class="card-head">
        <h2>
          {list.loaded.value && list.rows.length === 0 ? t('No open reports') : t('Open reports')}
        </h2>
        <a href={dashboardHref(`operator/reports?state=closed&account=${accountId}`)}>
          {t('report|History')}
        </a>
      </div>
      <BatchList list={list}>
        {(reports) =>
          groupReports(reports).map((group) => (
            <div key={group[0].id}>
              <ReportTexts reports={group} />
              <div class="row operator-report-actions">
                <DismissButton report={group[0]} onChange={reload} onResult={showMessage} />
              </div>
            </div>
          ))
        }
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

interface Decision {
  report: Report;
  onChange: () => void;
  onResult: typeof showMessage;
}

async function dismiss({ report, onChange, onResult }: Decision): Promise<void> {
  const report_ids = await listGroupIds(report);
  const { closed: count } = await owner.reports.closeReports({ report_ids });
  onChange();
  const undo = () => void withErrorMessage(reopen(report_ids, onChange));
  onResult(
    t(
      'No problem with the page of {name}: {count, plural, one {closed the report} other {closed # reports}}.',
      { name: report.name, count },
    ),
    { label: t('Undo'), run: undo },
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
    <div class="card">
      <Empty
        icon={ICON_PATHS.check}
        title={state === 'open' ? t('No open reports') : t('Nothing decided yet')}
      >
        <p class="muted">
          {state === 'open'
            ? t('When a visitor reports a page, it appears here.')
            : t('What you decide about a page appears here for 90 days.')}
        </p>
        <a href={dashboardHref('operator/members?state=suspended')}>
          {t('Show who is suspended or hidden')}
        </a>
      </Empty>
    </div>
  );
}

function ReportedPage({ reports, ...decision }: Decision & { reports: Group }) {
  const { report } = decision;
  const { account_id, name, display_name, earlier_reports } = report;
  return (
    <div class="operator-report">
      <div class="operator-report-picture">
        <PageCard name={display_name ?? name} isHidden={isPageHidden(report)} />
      </div>
      <div class="card-head">
        <h2>
          <a href={dashboardHref(`operator/members/${account_id}`)}>@{name}</a>
        </h2>
        {earlier_reports > 0 && (
          <a
            class="hint"
            href={dashboardHref(`operator/reports?state=closed&account=${account_id}`)}
          >
            {t('{count, plural, one {# earlier report} other {# earlier reports}}', {
              count: earlier_reports,
            })}
          </a>
        )}
        <ViewPageLink report={report} />
      </div>
      <ReportTexts reports={reports} />
      {report.closed_at !== null && <Outcome report={report} />}
      <div class="row operator-report-actions">
        {report.closed_at === null ? (
          <>
            <HideButton {...decision} />
            <DismissButton {...decision} />
            <ReportMenu {...decision} />
          </>
        ) : (
          <ReopenButton {...decision} />
        )}
      </div>
    </div>
  );
}

function ViewPageLink({ report }: { report: Report }) {
  const { account_id, name, display_name } = report;
  return (
    <a
      href={
        isPageHidden(report) ? hiddenPageHref(account_id) : `${pagesUrl}/@${display_name ?? name}`
      }
      target="_blank"
      rel="noreferrer"
    >
      {t.rich('View page<hidden> of {name}</hidden>', { name, hidden: visuallyHidden })}
      <Icon path={ICON_PATHS.externalLink} />
    </a>
  );
}

function DismissButton(decision: Decision) {
  return (
    <button type="button" onClick={() => void withErrorMessage(dismiss(decision))}>
      {t.rich('No problem<hidden> with the page of {name}</hidden>', {
        name: decision.report.name,
        hidden: visuallyHidden,
      })}
    </button>
  );
}

function HideButton({ report, onChange, onResult }: Decision) {
  if (isPageHidden(report)) return null;
  return (
    <button
      type="button"
      class="danger"
      onClick={() => hidePage(memberOf(report), onChange, onResult)}
    >
      {t.rich('Hide page<hidden> of {name}</hidden>', {
        name: report.name,
        hidden: visuallyHidden,
      })}
    </button>
  );
}

const memberOf = (report: Report) => ({
  ...report,
  id: report.account_id,
  state: report.account_suspended ? ('suspended' as const) : ('active' as const),
});

function ReportMenu({ report, onChange, onResult }: Decision) {
  const { name, login_email, account_suspended } = report;
  const member = memberOf(report);
  const items = (): MenuItem[] => [
    ...(login_email === null
      ? []
      : [
          {
            label: t('Write to the member'),
            iconPath: ICON_PATHS.mail,
            run: () => location.assign(mailDraft(name, login_email, false)),
          },
        ]),
    ...(account_suspended
      ? []
      : [
          {
            label: t('Suspend account'),
            iconPath: ICON_PATHS.clock,
            isDangerous: true,
            run: () => suspendMember(member, onChange, onResult),
          },
        ]),
  ];
  return <Menu label={t('More for {name}', { name })} items={items} />;
}

/** Ends what the operators decided, as long as it is in force. */
function ReopenButton({ report, onChange }: Omit<Decision, 'onResult'>) {
  const { name, account_suspended, outcome } = report;
  if (isInForce(report))
    return (
      <button type="button" onClick={() => void resumeMember(memberOf(report), onChange)}>
        {account_suspended
          ? t.rich('Resume account<hidden> of {name}</hidden>', { name, hidden: visuallyHidden })
          : t.rich('Show page again<hidden>: {name}</hidden>', { name, hidden: visuallyHidden })}
      </button>
    );
  if (outcome !== 'dismissed') return null;
  return (
    <button type="button" onClick={() => void withErrorMessage(reopenGroup(report, onChange))}>
      {t('Open again')}
    </button>
  );
}

function ReportTexts({ reports }: { reports: Group }) {
  return (
    <ul class="operator-report-texts">
      {reports.map(({ id, name, reason, count, created_at, text, email }) => (
        <li key={id}>
          {text ? <p>{text}</p> : <p class="muted">{t('No message')}</p>}
          <div class="row hint">
            <span class="pill warn">{REASON_LABELS[reason as ReportReason]}</span>
            {count > 1 && <span class="pill">{t('{count, number} times', { count })}</span>}
            {email ? (
              <a href={mailDraft(name, email, true)}>{email}</a>
            ) : (
              <span>{t('report|without an address')}</span>
            )}
            <TimeAgo time={created_at} />
          </div>
        </li>
      ))}
    </ul>
  );
}

/** Link to the draft of a mail. `URLSearchParams` would encode spaces as `+`. */
function mailDraft(name: string, email: string, isReporter: boolean): string {
  const subject = encodeURIComponent(
    isReporter
      ? t('Your report about @{name}', { name })
      : t('The page @{name} was reported', { name }),
  );
  const body = encodeURIComponent(`${pagesUrl}/@${name}\n\n`);
  return `mailto:${email}?subject=${subject}&body=${body}`;
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
    <div class="operator-outcome">
      <DecisionLine label={OUTCOME_LABELS[outcome]} by={closed_by} time={closed_at!} />
      {closed_reason !== null && <q class="hint">{closed_reason}</q>}
      {isInForce(report) && page_changed && <strong>{t('The page was changed since then')}</strong>}
      {outcome !== 'dismissed' && ended_at !== null && (
        <DecisionLine label={END_LABELS[outcome]!} by={ended_by} time={ended_at} />
      )}
    </div>
  );
}

function DecisionLine({ label, by, time }: { label: string; by: string | null; time: string }) {
  return (
    <span class="row hint">
      <strong>{label}</strong>
      {by !== null && <span>{t('by @{name}', { name: by })}</span>}
      <TimeAgo time={time} />
    </span>
  );
}

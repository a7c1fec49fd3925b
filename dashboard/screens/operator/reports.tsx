import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { owner } from '#dashboard/api/api.ts';
import { Empty } from '#dashboard/components/async-content.tsx';
import { BatchList, useBatches } from '#dashboard/components/batch-list.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { Icon } from '#dashboard/components/icon.tsx';
import { announce, showMessage } from '#dashboard/components/messages.tsx';
import { ScreenHeader } from '#dashboard/components/screen-header.tsx';
import { SegmentedControl } from '#dashboard/components/segmented-control.tsx';
import { loadCurrentAccount, openReportCount } from '#dashboard/current-account.ts';
import { dashboardHref, navigate, query } from '#dashboard/router.ts';
import { t } from '#dashboard/translate.ts';
import './operator.css';
import { ReportedPage, ReportTexts } from './report-card.tsx';
import { DismissButton } from './report-decisions.tsx';
import { groupReports, type ReportGroup } from './report-groups.ts';

type ReportState = 'open' | 'closed';

export function Reports() {
  const state = query.value.get('state') === 'closed' ? 'closed' : 'open';
  const accountId = query.value.get('account');
  useEffect(updateReportCount, [state]);
  const show = (next: ReportState) =>
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

/** Updates the count in the menu, which stays as it is if that fails. */
function updateReportCount(): void {
  loadCurrentAccount().catch(() => undefined);
}

function useReports(state: ReportState, account_id: string | null) {
  const filter = { state, account_id: account_id ?? undefined };
  return useBatches(
    (cursor) => owner.reports.listReports({ ...filter, ...cursor }),
    ({ reports }) => reports,
    [state, account_id],
  );
}

/** A text, and the button that undoes what it says. */
type DecisionMessage = Parameters<typeof showMessage>;

/**
 * One card a page. After a decision, its card says what was decided, and keeps its place until the
 * screen is left.
 */
function ReportCards({ state, accountId }: { state: ReportState; accountId: string | null }) {
  const list = useReports(state, accountId);
  const messages = useSignal<Readonly<Record<string, DecisionMessage | undefined>>>({});
  const setMessage = ([{ id }]: ReportGroup, message?: DecisionMessage) => {
    messages.value = { ...messages.value, [id]: message };
    updateReportCount();
    if (state === 'closed') list.loaded.reload();
  };
  return (
    <BatchList list={list} empty={<NoReports state={state} />}>
      {(reports) => (
        <ul class="stack operator-report-cards">
          {groupReports(reports).map((group) => {
            const message = state === 'open' && messages.value[group[0].id];
            return (
              <li key={group[0].id} class="card">
                {message ? (
                  <DecidedReports decision={message} />
                ) : (
                  <ReportedPage
                    reports={group}
                    report={group[0]}
                    onChange={() => setMessage(group)}
                    onResult={(...next) => setMessage(group, next)}
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

function DecidedReports({ decision: [text, undo] }: { decision: DecisionMessage }) {
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

function NoReports({ state }: { state: ReportState }) {
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

/** The open reports about one member. */
export function ReportsCard({ accountId, onClosed }: { accountId: string; onClosed: () => void }) {
  const list = useReports('open', accountId);
  const reload = () => {
    list.loaded.reload();
    updateReportCount();
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

import { useEffect } from 'preact/hooks';
import { owner } from '#dashboard/api/api.ts';
import { Empty } from '#dashboard/components/async-content.tsx';
import { BatchList, useBatches } from '#dashboard/components/batch-list.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { ScreenHeader } from '#dashboard/components/screen-header.tsx';
import { loadCurrentAccount } from '#dashboard/current-account.ts';
import { isOn } from '#dashboard/facts.ts';
import { dashboardHref } from '#dashboard/router.ts';
import { t } from '#dashboard/translate.ts';
import { activityPath } from '../activity/path.ts';
import './reports.css';
import {
  DismissButton,
  type PageReports,
  type Report,
  ReportedPage,
  ReportTexts,
} from './report-card.tsx';

export function Reports() {
  const { list, reload } = useReports();
  useEffect(updateReportCount, []);
  return (
    <>
      <ScreenHeader title={t('Reports')} subtitle={t('Pages that visitors have reported.')} />
      <BatchList
        list={list}
        empty={
          <div class="card">
            <Empty icon={ICON_PATHS.check} title={t('No open reports')}>
              <p class="muted">{t('When a visitor reports a page, it appears here.')}</p>
              {isOn('audit') && (
                <a href={dashboardHref(activityPath('audit', 'reports'))}>
                  {t('Show what was decided')}
                </a>
              )}
            </Empty>
          </div>
        }
      >
        {(reports) => (
          <ul class="stack">
            {groupByPage(reports).map((ofPage) => (
              <li key={ofPage[0].account_id} class="card">
                <ReportedPage reports={ofPage} onChange={reload} />
              </li>
            ))}
          </ul>
        )}
      </BatchList>
    </>
  );
}

/** Updates the count in the menu, which stays as it is if that fails. */
function updateReportCount(): void {
  loadCurrentAccount().catch(() => undefined);
}

function useReports(accountId?: string) {
  const list = useBatches(
    (cursor) => owner.reports.listReports({ account_id: accountId, ...cursor }),
    ({ reports }) => reports,
    [accountId],
  );
  const reload = () => {
    list.loaded.reload();
    updateReportCount();
  };
  return { list, reload };
}

function groupByPage(reports: readonly Report[]): PageReports['reports'][] {
  const pages = Map.groupBy(reports, ({ account_id }) => account_id);
  return [...pages.values()] as [Report, ...Report[]][];
}

/** The open reports about one member. */
export function ReportsCard({ accountId, onClosed }: { accountId: string; onClosed: () => void }) {
  const { list, reload } = useReports(accountId);
  const onChange = () => {
    reload();
    onClosed();
  };
  return (
    <section class="card">
      <h2>
        {list.loaded.value && list.rows.length === 0 ? t('No open reports') : t('Open reports')}
      </h2>
      <BatchList list={list}>
        {(loaded) =>
          groupByPage(loaded).map((reports) => (
            <>
              <ReportTexts reports={reports} hasReasons />
              <div class="row report-actions">
                <DismissButton reports={reports} onChange={onChange} />
              </div>
            </>
          ))
        }
      </BatchList>
    </section>
  );
}

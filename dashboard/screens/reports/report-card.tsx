import { type ReportReason, reportReasonLabels } from '#contract/shared/report-reasons.ts';
import { type ResponseOf, owner } from '#dashboard/api/api.ts';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { Icon } from '#dashboard/components/icon.tsx';
import { showMessage, withErrorMessage } from '#dashboard/components/messages.tsx';
import { TimeAgo } from '#dashboard/components/time.tsx';
import { visuallyHidden } from '#dashboard/components/visually-hidden.tsx';
import { dashboardHref } from '#dashboard/router.ts';
import { pagesUrl } from '#dashboard/session.ts';
import { t } from '#dashboard/translate.ts';
import { hiddenPageHref, PageCard } from '../members/page-card.tsx';
import { hidePage } from '../members/suspend-member.tsx';

export type Report = ResponseOf<typeof owner.reports.listReports>['reports'][number];

export interface PageReports {
  /** Open reports about one page, newest first. */
  reports: readonly [Report, ...Report[]];
  onChange: () => void;
}

const REASON_LABELS = reportReasonLabels(t);
export function ReportedPage({ reports, onChange }: PageReports) {
  const [report] = reports;
  const { account_id, name, display_name } = report;
  const reasons = new Set(reports.map(({ reason }) => REASON_LABELS[reason as ReportReason]));
  const isHidden = report.account_suspended || report.page_suspended;
  const state = report.account_suspended ? ('suspended' as const) : ('active' as const);
  return (
    <div class="report">
      <PageCard name={display_name ?? name} isHidden={isHidden} />
      <div>
        <h2>
          <a href={dashboardHref(`operator/members/${account_id}`)}>@{name}</a>
        </h2>
        <p class="hint">{[...reasons].join(' · ')}</p>
        <ReportTexts reports={reports} hasReasons={reasons.size > 1} />
        <div class="row report-actions">
          {!isHidden && (
            <button
              type="button"
              onClick={() => hidePage({ ...report, id: account_id, state }, onChange)}
            >
              {t.rich('Hide the page<hidden> of {name}</hidden>', { name, hidden: visuallyHidden })}
            </button>
          )}
          <DismissButton reports={reports} onChange={onChange} />
          <a
            href={isHidden ? hiddenPageHref(account_id) : `${pagesUrl}/@${display_name ?? name}`}
            target="_blank"
            rel="noreferrer"
          >
            {t.rich('View page<hidden> of {name}</hidden>', { name, hidden: visuallyHidden })}
            <Icon path={ICON_PATHS.externalLink} />
          </a>
        </div>
      </div>
    </div>
  );
}

export function ReportTexts({
  reports,
  hasReasons,
}: Pick<PageReports, 'reports'> & { hasReasons: boolean }) {
  return (
    <ul class="report-texts">
      {reports.map(({ id, name, reason, count, created_at, text, email }) => (
        <li key={id}>
          <div class="row">
            {email ? (
              <a href={mailDraftHref(name, email)}>{email}</a>
            ) : (
              <strong>{t('report|Anonymous')}</strong>
            )}
            <span class="hint grow">
              {[
                hasReasons && REASON_LABELS[reason as ReportReason],
                count > 1 && t('{count, number} times', { count }),
              ]
                .filter(Boolean)
                .join(' · ')}
            </span>
            <span class="hint">
              <TimeAgo time={created_at} />
            </span>
          </div>
          {text && <p>{text}</p>}
        </li>
      ))}
    </ul>
  );
}

export function DismissButton({ reports, onChange }: PageReports) {
  const [{ name }] = reports;
  const dismiss = async () => {
    const report_ids = reports.map(({ id }) => id);
    const { closed: count } = await owner.reports.closeReports({ report_ids });
    showMessage(
      t('Dismissed {count, plural, one {# report} other {# reports}} about {name}.', {
        count,
        name,
      }),
    );
    onChange();
  };
  return (
    <button type="button" onClick={() => void withErrorMessage(dismiss())}>
      {t.rich('Dismiss<hidden> reports about {name}</hidden>', { name, hidden: visuallyHidden })}
    </button>
  );
}

/** Link to the draft of a mail. `URLSearchParams` would encode spaces as `+`. */
function mailDraftHref(name: string, email: string): string {
  const subject = t('Your report about @{name}', { name });
  const body = `${pagesUrl}/@${name}\n\n`;
  return `mailto:${email}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`;
}

import {
  type ReportOutcome,
  type ReportReason,
  reportReasonLabels,
} from '#contract/shared/report-reasons.ts';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { Icon } from '#dashboard/components/icon.tsx';
import { TimeAgo } from '#dashboard/components/time.tsx';
import { visuallyHidden } from '#dashboard/components/visually-hidden.tsx';
import { dashboardHref } from '#dashboard/router.ts';
import { pagesUrl } from '#dashboard/session.ts';
import { t } from '#dashboard/translate.ts';
import { hiddenPageHref, PageCard } from './page-card.tsx';
import { type DecisionProps, Decisions, mailDraftHref } from './report-decisions.tsx';
import { isPageHidden, isStillHidden, type Report, type ReportGroup } from './report-groups.ts';

export function ReportedPage({ reports, ...props }: DecisionProps & { reports: ReportGroup }) {
  const { report } = props;
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
        <Decisions {...props} />
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

const REASON_LABELS = reportReasonLabels(t);

export function ReportTexts({ reports }: { reports: ReportGroup }) {
  return (
    <ul class="operator-report-texts">
      {reports.map(({ id, name, reason, count, created_at, text, email }) => (
        <li key={id}>
          <div class="row hint">
            <span class="pill warn">{REASON_LABELS[reason as ReportReason]}</span>
            {count > 1 && <span class="pill">{t('{count, number} times', { count })}</span>}
            {email ? (
              <span class="grow">
                <a href={mailDraftHref(name, email, t('Your report about @{name}', { name }))}>
                  {email}
                </a>
              </span>
            ) : (
              <span class="grow">{t('report|without an address')}</span>
            )}
            <TimeAgo time={created_at} />
          </div>
          {text && <p>{text}</p>}
        </li>
      ))}
    </ul>
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

function Outcome({ report }: { report: Report }) {
  const { closed_at, closed_by, closed_reason, ended_at, ended_by, page_changed } = report;
  const outcome = report.outcome as ReportOutcome;
  return (
    <div class="operator-outcome">
      <DecisionLine label={OUTCOME_LABELS[outcome]} by={closed_by} time={closed_at!} />
      {closed_reason !== null && <q class="hint">{closed_reason}</q>}
      {isStillHidden(report) && page_changed && (
        <strong>{t('The page was changed since then')}</strong>
      )}
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

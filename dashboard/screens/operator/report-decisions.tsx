import { owner } from '#dashboard/api/api.ts';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { Menu, type MenuItem } from '#dashboard/components/menu.tsx';
import { type showMessage, withErrorMessage } from '#dashboard/components/messages.tsx';
import { visuallyHidden } from '#dashboard/components/visually-hidden.tsx';
import { navigate } from '#dashboard/router.ts';
import { pagesUrl } from '#dashboard/session.ts';
import { t } from '#dashboard/translate.ts';
import { isPageHidden, isStillHidden, type Report } from './report-groups.ts';
import { hidePage, resumeMember, suspendMember } from './suspend-member.tsx';

export interface DecisionProps {
  /** The first report of its group. A decision is about the whole group. */
  report: Report;
  onChange: () => void;
  /** Shows what was decided, with a button that undoes it. */
  onResult: typeof showMessage;
}

export function Decisions(props: DecisionProps) {
  if (props.report.closed_at !== null) return <ReopenButton {...props} />;
  return (
    <>
      <HideButton {...props} />
      <DismissButton {...props} />
      <ReportMenu {...props} />
    </>
  );
}

function HideButton({ report, onChange, onResult }: DecisionProps) {
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

export function DismissButton(props: DecisionProps) {
  return (
    <button type="button" onClick={() => void withErrorMessage(dismiss(props))}>
      {t.rich('No problem<hidden> with the page of {name}</hidden>', {
        name: props.report.name,
        hidden: visuallyHidden,
      })}
    </button>
  );
}

async function dismiss({ report, onChange, onResult }: DecisionProps): Promise<void> {
  const report_ids = await listGroupIds(report);
  const { closed: count } = await owner.reports.closeReports({ report_ids });
  onChange();
  const undo = async () => {
    await owner.reports.reopenReports({ report_ids });
    onChange();
  };
  onResult(
    t(
      'No problem with the page of {name}: {count, plural, one {closed the report} other {closed # reports}}.',
      { name: report.name, count },
    ),
    { label: t('Undo'), run: () => void withErrorMessage(undo()) },
  );
}

/**
 * Lists the ids of all reports in the group of `report`, including those that are not loaded yet.
 * Leaves out newer reports, because the operator has not seen them.
 */
async function listGroupIds({ account_id, closed_at, created_at }: Report): Promise<string[]> {
  const ids: string[] = [];
  const state = closed_at === null ? 'open' : 'closed';
  for await (const report of owner.reports.listReports({ account_id, state }))
    if (report.closed_at === closed_at && report.created_at <= created_at) ids.push(report.id);
  return ids;
}

function ReportMenu({ report, onChange, onResult }: DecisionProps) {
  const { name, login_email, account_suspended } = report;
  const createItems = () => {
    const items: MenuItem[] = [];
    if (login_email !== null)
      items.push({
        label: t('Write to the member'),
        iconPath: ICON_PATHS.mail,
        run: () => {
          const subject = t('The page @{name} was reported', { name });
          location.assign(mailDraftHref(name, login_email, subject));
        },
      });
    if (!account_suspended)
      items.push({
        label: t('Suspend account'),
        iconPath: ICON_PATHS.clock,
        isDangerous: true,
        run: () => suspendMember(memberOf(report), onChange, onResult),
      });
    return items;
  };
  return <Menu label={t('More for {name}', { name })} items={createItems} />;
}

/** Ends what the operators decided, as long as it is in force. */
function ReopenButton({ report, onChange }: Omit<DecisionProps, 'onResult'>) {
  const { name, account_suspended, outcome } = report;
  const reopen = async () => {
    await owner.reports.reopenReports({ report_ids: await listGroupIds(report) });
    navigate('operator/reports', { replace: true });
    onChange();
  };
  if (isStillHidden(report))
    return (
      <button type="button" onClick={() => void resumeMember(memberOf(report), onChange)}>
        {account_suspended
          ? t.rich('Resume account<hidden> of {name}</hidden>', { name, hidden: visuallyHidden })
          : t.rich('Show page again<hidden>: {name}</hidden>', { name, hidden: visuallyHidden })}
      </button>
    );
  if (outcome !== 'dismissed') return null;
  return (
    <button type="button" onClick={() => void withErrorMessage(reopen())}>
      {t('Open again')}
    </button>
  );
}

function memberOf(report: Report) {
  const state = report.account_suspended ? ('suspended' as const) : ('active' as const);
  return { ...report, id: report.account_id, state };
}

/** Link to the draft of a mail. `URLSearchParams` would encode spaces as `+`. */
export function mailDraftHref(name: string, email: string, subject: string): string {
  const body = `${pagesUrl}/@${name}\n\n`;
  return `mailto:${email}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`;
}

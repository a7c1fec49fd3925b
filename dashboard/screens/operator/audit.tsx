import { AUDIT_AREAS, type AuditArea } from '#contract/shared/audit-areas.ts';
import { owner } from '#dashboard/api/api.ts';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { Empty } from '#dashboard/components/async-content.tsx';
import { BatchList, useBatches } from '#dashboard/components/batch-list.tsx';
import { ScreenHeader } from '#dashboard/components/screen-header.tsx';
import { TimeOfDay } from '#dashboard/components/time.tsx';
import { dashboardHref, navigate, query } from '#dashboard/router.ts';
import { currentAccountId } from '#dashboard/session.ts';
import '../events/event-line.css';
import '../events/events.css';
import './operator.css';
import { t } from '#dashboard/translate.ts';
import { describeAction } from './action-labels.ts';
import { groupByDay, groupRuns } from '../events/group-by-day.ts';
import { KindChips } from '../events/kind-chips.tsx';
import { type AuditEntry, memberName, actorName } from './labels.ts';
import { AUDIENCES } from './message-table.tsx';

const AREAS: Readonly<Record<AuditArea, string>> = {
  members: t('Members'),
  applications: t('Applications'),
  invitations: t('Invitations'),
  messages: t('Sent messages'),
  addresses: t('Group addresses'),
  reports: t('Reports'),
  server: t('This server'),
  keys: t('Keys'),
};

export function Audit() {
  const area = AUDIT_AREAS.find((value) => value === query.value.get('action'));
  return (
    <>
      <ScreenHeader
        title={t('Audit trail')}
        subtitle={t('What operators and commands have changed.')}
      />
      <KindChips
        label={t('Kind of changes')}
        value={area}
        kinds={Object.entries(AREAS)}
        onValue={(value) =>
          navigate(value ? `operator/audit?action=${value}` : 'operator/audit', { replace: true })
        }
      />
      <AuditCard area={area} />
    </>
  );
}

export function AuditCard({
  accountId,
  area,
}: {
  accountId?: string;
  area?: AuditArea | undefined;
}) {
  const list = useBatches(
    (cursor) =>
      owner.server.listAuditEntries({ account_id: accountId, action: area, limit: 50, ...cursor }),
    ({ entries }) => entries,
    [accountId, area],
  );
  const DayTitle = accountId === undefined ? 'h2' : 'h3';
  return (
    <section class="card operator-audit" aria-label={t('Audit trail')}>
      {accountId !== undefined && <h2>{t('Audit trail')}</h2>}
      <BatchList
        list={list}
        empty={
          <Empty icon={ICON_PATHS.clock} title={t('No entries yet')}>
            <p class="muted">
              {t('Changes made by operators or on the command line appear here.')}
            </p>
          </Empty>
        }
      >
        {(entries) => (
          <div class="event-days">
            {groupByDay(entries).map(({ title, events }) => (
              <section key={title} class="event-day">
                <DayTitle class="event-day-title">{title}</DayTitle>
                <ul>
                  {groupRuns(events, runKey).map((run, index, runs) => (
                    <AuditRun
                      key={run[0].id}
                      run={run}
                      hasAccounts={accountId === undefined}
                      isSameActor={index > 0 && haveSameActor(run[0], runs[index - 1]![0])}
                    />
                  ))}
                </ul>
              </section>
            ))}
          </div>
        )}
      </BatchList>
    </section>
  );
}

const runKey = ({ action, who, via, detail }: AuditEntry) => [action, who, via, detail];

const haveSameActor = (entry: AuditEntry, above: AuditEntry) =>
  entry.who === above.who && entry.via === above.via;

function AuditRun({
  run,
  hasAccounts,
  isSameActor,
}: {
  /** The same action, once for each account. */
  run: readonly [AuditEntry, ...AuditEntry[]];
  hasAccounts: boolean;
  /** Whether the run above names the actor already. */
  isSameActor: boolean;
}) {
  const [{ action, detail, who, via, created_at }] = run;
  const text = detailOf(detail);
  return (
    <li class="audit-run">
      <div>
        <strong>
          {describeAction(action, detail) ??
            t.rich('Ran <code>{action}</code>', {
              action,
              code: (name) => <code>{name}</code>,
            })}
        </strong>
        {run.length > 1 && (
          <span class="muted"> {t('{count, number} times', { count: run.length })}</span>
        )}
        {('invitations' in detail || text) && (
          <p class="hint">
            {'invitations' in detail && <InvitationCount {...detail} />}
            {'invitations' in detail && text && ' · '}
            {text}
          </p>
        )}
        {Object.entries(detail).map(([key, value]) =>
          Array.isArray(value) ? <ListDetail key={key} name={key} values={value} /> : null,
        )}
      </div>
      {hasAccounts && (
        <div>
          <AccountNames run={run} />
        </div>
      )}
      <p class={isSameActor ? 'visually-hidden' : 'hint'}>
        {actorName({ who, via })} · {ORIGINS[via] ?? via}
      </p>
      <span class="hint">
        <TimeOfDay time={created_at} />
      </span>
    </li>
  );
}

function AccountNames({ run }: { run: readonly [AuditEntry, ...AuditEntry[]] }) {
  const { applications } = run[0].detail;
  if (Array.isArray(applications))
    return <>{applications.slice(0, MAX_SHOWN_VALUES).map(accountLabel).join(', ')}</>;
  const others = run.filter(({ account_id, name }) => account_id !== null || name !== null);
  return (
    <>
      {others.slice(0, MAX_SHOWN_VALUES).map((entry, index) => (
        <>
          {index > 0 && ', '}
          <AccountName key={entry.id} {...entry} />
        </>
      ))}
      {others.length > MAX_SHOWN_VALUES && ' …'}
    </>
  );
}

function AccountName({ account_id, name, who }: AuditEntry) {
  if (account_id === null) return <>@{name}</>;
  // The actor stands beside it.
  if (who.endsWith(account_id)) return null;
  return (
    <a href={dashboardHref(`operator/members/${account_id}`)}>
      {account_id === currentAccountId.value
        ? t('Your account')
        : memberName({ id: account_id, display_name: name })}
    </a>
  );
}

const ORIGINS: Readonly<Record<string, string>> = {
  operator: t('Operator'),
  command: t('Command line'),
  'first start': t('First start'),
  'single sign-on': t('Single sign-on'),
};

function InvitationCount({ batch, invitations }: { batch?: unknown; invitations?: unknown }) {
  const text = t('{count, plural, one {# invitation} other {# invitations}}', {
    count: Number(invitations),
  });
  if (typeof batch !== 'string') return <>{text}</>;
  return <a href={dashboardHref(`operator/members/invitations?batch=${batch}`)}>{text}</a>;
}

function detailOf(detail: Record<string, unknown>): string {
  return Object.entries(detail)
    .filter(([, value]) => value !== null && !Array.isArray(value))
    .flatMap(([key, value]) =>
      Object.hasOwn(PHRASES, key)
        ? PHRASES[key]!(Number(value))
        : Object.hasOwn(LABELS, key)
          ? `${LABELS[key]}: ${formatDetail(key, value)}`
          : [],
    )
    .join(' · ');
}

function formatDetail(key: string, value: unknown): string {
  if (typeof value === 'boolean') return value ? t('yes') : t('no');
  return typeof value === 'string' ? (FORMATS[key]?.(value) ?? value) : JSON.stringify(value);
}

const WORDS = new Map<string, string>([
  ...AUDIENCES,
  ['address', t('Readers of a group address')],
  ['accepted', t('mail|accepted')],
  ['started', t('started')],
  ['done', t('done')],
]);
const dateFormat = new Intl.DateTimeFormat(t.locale, { dateStyle: 'medium' });

const formatWord = (word: string) => WORDS.get(word) ?? t('refused ({code})', { code: word });
const formatDate = (time: string) => dateFormat.format(new Date(time));
const FORMATS: Readonly<Record<string, (value: string) => string>> = {
  address: (name) => `${name}@`,
  audience: formatWord,
  result: formatWord,
  step: formatWord,
  expires_at: formatDate,
};
/** Details and settings that are shown. Only the API has the others, such as ids. */
const LABELS: Readonly<Record<string, string>> = {
  address: t('Group address'),
  audience: t('mail|To'),
  color: t('Color'),
  contact: t('Contact'),
  cover_description: t('Picture of the club: description'),
  cover_focus: t('Picture of the club: part in view'),
  cover_url: t('Picture of the club'),
  dark_logo_url: t('Logo for dark backgrounds'),
  expires_at: t('Expires'),
  format: t('File'),
  from: t('Name before'),
  host: t('Mail server'),
  imprint: t('Imprint'),
  imprint_url: t('Link to the imprint'),
  line: t('One line'),
  logo_url: t('Logo'),
  members: t('Members'),
  name: t('Name'),
  note: t('For'),
  port: t('Port'),
  privacy: t('Privacy policy'),
  privacy_url: t('Link to the privacy policy'),
  prune: t('Deletes unknown addresses'),
  pruned: t('Deleted'),
  reason: t('Reason'),
  recipients: t('Recipients'),
  reopened: t('Reopened reports'),
  repaired: t('Repaired'),
  reports: t('Reports'),
  result: t('Result'),
  sender: t('Sender'),
  sentence: t('Answer'),
  skipped: t('Not sent'),
  step: t('Step'),
  subject: t('Subject'),
  terms: t('Terms'),
  terms_url: t('Link to the terms'),
  welcome: t('Welcome text'),
};
/** Details that need no label. */
const PHRASES: Readonly<Record<string, (value: number) => string>> = {
  days: (days) => t('{days, plural, one {valid for # day} other {valid for # days}}', { days }),
  mail: (isMailed) => (isMailed ? t('sent by mail') : t('links downloaded')),
  max_uses: (count) => t('{count, plural, one {for one person} other {for # people}}', { count }),
  picture_limit_mb: (limit) => t('up to {limit, number} MB', { limit }),
};
const MAX_SHOWN_VALUES = 10;

/** An account without a name is listed by its id. */
function accountLabel(value: string): string {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value)
    ? memberName({ id: value, display_name: null })
    : `@${value}`;
}

function ListDetail({ name, values }: { name: string; values: readonly unknown[] }) {
  const count = values.length;
  const otherCount = count - MAX_SHOWN_VALUES;
  return (
    <details class="operator-value-list">
      <summary>
        {name === 'fields' && t('{count, plural, one {# setting} other {# settings}}', { count })}
        {name === 'applications' &&
          t('{count, plural, one {# application} other {# applications}}', { count })}
        {name !== 'fields' &&
          name !== 'applications' &&
          t('{count, plural, one {# account} other {# accounts}}', { count })}
      </summary>
      <ul>
        {values.slice(0, MAX_SHOWN_VALUES).map((value) => (
          <li key={String(value)}>
            {name === 'fields'
              ? (LABELS[String(value)] ?? String(value))
              : accountLabel(String(value))}
          </li>
        ))}
      </ul>
      {otherCount > 0 && (
        <p class="hint">{t('{count, number} more in the API.', { count: otherCount })}</p>
      )}
    </details>
  );
}

import { owner } from '#dashboard/api/api.ts';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { Empty } from '#dashboard/components/async-content.tsx';
import { BatchList, useBatches } from '#dashboard/components/batch-list.tsx';
import { ScreenHeader } from '#dashboard/components/screen-header.tsx';
import { type Column, Table } from '#dashboard/components/table.tsx';
import { TimeAgo } from '#dashboard/components/time.tsx';
import { dashboardHref } from '#dashboard/router.ts';
import './operator.css';
import { t } from '#dashboard/translate.ts';
import { ACTION_FLAGS, describeAction } from './action-labels.ts';
import { type AuditEntry, memberName, actorName, nameOrYou } from './labels.ts';

export function Audit() {
  return (
    <>
      <ScreenHeader
        title={t('Audit trail')}
        subtitle={t('What operators and commands have changed.')}
      />
      <AuditCard />
    </>
  );
}

export function AuditCard({ accountId }: { accountId?: string }) {
  const filter = accountId === undefined ? {} : { account_id: accountId };
  const list = useBatches(
    (cursor) => owner.server.listAuditEntries({ ...filter, ...cursor }),
    ({ entries }) => entries,
    [accountId],
  );
  return (
    <section class="card operator-audit">
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
          <Table
            caption={t('Audit trail')}
            rows={entries}
            keyOf={({ id }) => id}
            columns={accountId === undefined ? COLUMNS_WITH_ACCOUNT : COLUMNS}
          />
        )}
      </BatchList>
    </section>
  );
}

const ACTION_COLUMN: Column<AuditEntry> = {
  title: t('Action'),
  cell: ({ action, detail }) => (
    <>
      <span class="strong">{describeAction(action, detail) ?? <code>{action}</code>}</span>{' '}
      <div class="hint operator-detail">
        {'invitations' in detail && <InvitationCount {...detail} />}
        {'invitations' in detail && detailOf(detail) && ' · '}
        {detailOf(detail)}
      </div>{' '}
      {Object.entries(detail).map(([key, value]) =>
        Array.isArray(value) ? <ListDetail key={key} name={key} values={value} /> : null,
      )}
    </>
  ),
};
const OTHER_COLUMNS: readonly Column<AuditEntry>[] = [
  { title: t('Who'), cell: WhoCell },
  { title: t('When'), cell: ({ created_at }) => <TimeAgo time={created_at} /> },
];
const COLUMNS = [ACTION_COLUMN, ...OTHER_COLUMNS];
const COLUMNS_WITH_ACCOUNT = [
  ACTION_COLUMN,
  { title: t('Account'), cell: AccountCell },
  ...OTHER_COLUMNS,
];

function AccountCell({ account_id, name }: AuditEntry) {
  if (account_id === null)
    return name === null ? <span class="muted">{t('account|None')}</span> : <>@{name}</>;
  return (
    <a href={dashboardHref(`operator/members/${account_id}`)}>
      {nameOrYou({ id: account_id, display_name: name })}
    </a>
  );
}

function WhoCell({ who, via }: AuditEntry) {
  return (
    <>
      {actorName({ who, via })}
      <div class="hint">
        {via === 'operator'
          ? t('Operator')
          : via === 'command'
            ? t('Command line')
            : t('First start')}
      </div>
    </>
  );
}

function InvitationCount({ batch, invitations }: { batch?: unknown; invitations?: unknown }) {
  const text = t('{count, plural, one {# invitation} other {# invitations}}', {
    count: Number(invitations),
  });
  if (typeof batch !== 'string') return <>{text}</>;
  return <a href={dashboardHref(`operator/members/invitations?batch=${batch}`)}>{text}</a>;
}

function detailOf(detail: Record<string, unknown>): string {
  return Object.entries(detail)
    .filter(([key, value]) => value !== null && !Array.isArray(value) && !HIDDEN_KEYS.has(key))
    .map(([key, value]) => `${DETAIL_LABELS[key] ?? key}: ${formatDetail(key, value)}`)
    .join(' · ');
}

function formatDetail(key: string, value: unknown): string {
  if (typeof value === 'boolean') return value ? t('yes') : t('no');
  if (typeof value !== 'string') return JSON.stringify(value);
  if (key === 'result')
    return value === 'accepted' ? t('mail|accepted') : t('refused ({code})', { code: value });
  return DATE_KEYS.has(key) ? dateFormat.format(new Date(value)) : value;
}

const dateFormat = new Intl.DateTimeFormat(t.locale, { dateStyle: 'medium' });
const DATE_KEYS: ReadonlySet<string> = new Set(['expires_at', 'since', 'until']);
/** Ids, which only the API shows, and what `InvitationCount` and the label show. */
const HIDDEN_KEYS: ReadonlySet<string> = new Set([
  ...['batch', 'invitation', 'invitations'],
  ...ACTION_FLAGS,
]);
const DETAIL_LABELS: Readonly<Record<string, string>> = {
  days: t('Valid days'),
  expires_at: t('Expires'),
  from: t('Name before'),
  mail: t('By mail'),
  name: t('File'),
  max_uses: t('People'),
  note: t('For'),
  picture_limit_mb: 'MB',
  prune: t('Deletes unknown addresses'),
  pruned: t('Deleted'),
  reason: t('Reason'),
  reopened: t('Reopened reports'),
  repaired: t('Repaired'),
  reports: t('Reports'),
  result: t('Result'),
  since: t('From'),
  step: t('Step'),
  until: t('Until'),
};
/** Settings of the appearance. */
const FIELD_LABELS: Readonly<Record<string, string>> = {
  name: t('Name'),
  line: t('One line'),
  color: t('Color'),
  logo_url: t('Logo'),
  dark_logo_url: t('Logo for dark backgrounds'),
  contact: t('Contact'),
  imprint: t('Imprint'),
  privacy: t('Privacy policy'),
  terms: t('Terms'),
  imprint_url: t('Link to the imprint'),
  privacy_url: t('Link to the privacy policy'),
  terms_url: t('Link to the terms'),
  welcome: t('Welcome text'),
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
        {name === 'fields'
          ? t('{count, plural, one {# setting} other {# settings}}', { count })
          : t('{count, plural, one {# account} other {# accounts}}', { count })}
      </summary>
      <ul>
        {values.slice(0, MAX_SHOWN_VALUES).map((value) => (
          <li key={String(value)}>
            {name === 'fields'
              ? (FIELD_LABELS[String(value)] ?? String(value))
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

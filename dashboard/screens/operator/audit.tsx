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
import { describeAction } from './action-labels.ts';
import { type AuditEntry, memberName, actorName, nameOrYou } from './labels.ts';
import { AUDIENCES } from './message-table.tsx';

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
            rowKey={({ id }) => id}
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

function AccountCell({ account_id, name, who, detail }: AuditEntry) {
  const { applications } = detail;
  if (Array.isArray(applications))
    return <>{applications.slice(0, MAX_SHOWN_VALUES).map(accountLabel).join(', ')}</>;
  if (account_id === null)
    return name === null ? <span class="muted">{t('account|None')}</span> : <>@{name}</>;
  // The next column has people who changed something of their own.
  if (who.endsWith(account_id)) return null;
  return (
    <a href={dashboardHref(`operator/members/${account_id}`)}>
      {nameOrYou({ id: account_id, display_name: name })}
    </a>
  );
}

const ORIGINS: Readonly<Record<string, string>> = {
  operator: t('Operator'),
  command: t('Command line'),
  'first start': t('First start'),
  'single sign-on': t('Single sign-on'),
};

function WhoCell({ who, via }: AuditEntry) {
  return (
    <>
      {actorName({ who, via })}
      <div class="hint">{ORIGINS[via] ?? via}</div>
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
    .filter(([key, value]) => Object.hasOwn(LABELS, key) && value !== null && !Array.isArray(value))
    .map(([key, value]) => `${LABELS[key]}: ${formatDetail(key, value)}`)
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
  days: t('Valid days'),
  expires_at: t('Expires'),
  format: t('File'),
  from: t('Name before'),
  host: t('Mail server'),
  imprint: t('Imprint'),
  imprint_url: t('Link to the imprint'),
  line: t('One line'),
  logo_url: t('Logo'),
  mail: t('By mail'),
  max_uses: t('People'),
  members: t('Members'),
  name: t('Name'),
  note: t('For'),
  picture_limit_mb: 'MB',
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
  sentence: t('With a sentence'),
  skipped: t('Not sent'),
  step: t('Step'),
  subject: t('Subject'),
  terms: t('Terms'),
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

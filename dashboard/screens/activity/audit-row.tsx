import type { ComponentChildren } from 'preact';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { ListRow } from '#dashboard/components/list-row.tsx';
import { TimeOfDay } from '#dashboard/components/time.tsx';
import { isOn } from '#dashboard/facts.ts';
import { dashboardHref } from '#dashboard/router.ts';
import { currentAccountId } from '#dashboard/session.ts';
import { t } from '#dashboard/translate.ts';
import { actorName, memberName } from '../members/labels.ts';
import { AUDIENCES } from '../messages/message-table.tsx';
import { describeAction } from './action-labels.ts';
import type { AuditEntry, Run } from './load-activity.ts';

const ICONS: Readonly<Record<string, string>> = {
  addresses: ICON_PATHS.mail,
  invitations: ICON_PATHS.send,
  keys: ICON_PATHS.key,
  messages: ICON_PATHS.message,
  reports: ICON_PATHS.flag,
  server: ICON_PATHS.server,
};

/** The same action, once for each account. */
export function AuditRow({ run, isOfMember }: { run: Run<AuditEntry>; isOfMember: boolean }) {
  const [{ action, detail, who, via, created_at }] = run;
  const lists = Object.entries(detail).filter(([, value]) => Array.isArray(value));
  const accounts = isOfMember ? [] : accountsOf(run);
  const facts = [
    ...accounts.slice(0, MAX_SHOWN_VALUES),
    accounts.length > MAX_SHOWN_VALUES && '…',
    'invitations' in detail && <InvitationCount {...detail} />,
    detailOf(detail),
    `${actorName({ who, via })} · ${ORIGINS[via] ?? via}`,
  ].filter(Boolean);
  return (
    <ListRow
      icon={ICONS[action.split('.')[0]!] ?? ICON_PATHS.user}
      title={
        <>
          {describeAction(action, detail) ??
            t.rich('Ran <code>{action}</code>', {
              action,
              code: (name) => <code>{name}</code>,
            })}
          {run.length > 1 && (
            <span class="muted"> {t('{count, number} times', { count: run.length })}</span>
          )}
        </>
      }
      text={facts.map((fact, index) => (
        <>
          {index > 0 && ' · '}
          {fact}
        </>
      ))}
      end={<TimeOfDay time={created_at} />}
    >
      {lists.length > 0 &&
        lists.map(([key, values]) => (
          <ListDetail key={key} name={key} values={values as readonly unknown[]} />
        ))}
    </ListRow>
  );
}

function accountsOf(run: Run<AuditEntry>): ComponentChildren[] {
  const { applications } = run[0].detail;
  if (Array.isArray(applications)) return applications.map((value) => accountLabel(String(value)));
  return run.flatMap<ComponentChildren>(({ id, account_id, name, who }) => {
    if (account_id === null) return name === null ? [] : [`@${name}`];
    // The actor is named already.
    if (who.endsWith(account_id)) return [];
    return [
      <a key={id} href={dashboardHref(`operator/members/${account_id}`)}>
        {account_id === currentAccountId.value
          ? t('Your account')
          : memberName({ id: account_id, display_name: name })}
      </a>,
    ];
  });
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
  if (typeof batch !== 'string' || !isOn('invitations')) return <>{text}</>;
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
  directory: t('List of members'),
  expires_at: t('Expires'),
  format: t('File'),
  from: t('Name before'),
  group: t('Group'),
  host: t('Mail server'),
  imprint: t('Imprint'),
  imprint_url: t('Link to the imprint'),
  line: t('One line'),
  logo_url: t('Logo'),
  members: t('Members'),
  name: t('Name'),
  note: t('For'),
  our_page: t('Our page'),
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
  theme_fonts: t('Theme for pages'),
  website: t('Website'),
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
    <>
      <p>
        {name === 'fields'
          ? t('{count, plural, one {# setting} other {# settings}}', { count })
          : name === 'applications'
            ? t('{count, plural, one {# application} other {# applications}}', { count })
            : t('{count, plural, one {# account} other {# accounts}}', { count })}
      </p>
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
    </>
  );
}

import type { ComponentChildren } from 'preact';
import type { Event as AccountEvent } from '#client/generated/owner-operations.ts';
import { type EventKind, EVENT_TYPES_BY_KIND } from '#contract/shared/event-types.ts';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { ListRow } from '#dashboard/components/list-row.tsx';
import { describeUserAgent } from '#dashboard/components/user-agent.ts';
import { formatList, t } from '#dashboard/translate.ts';
import { COUNTED_TITLES } from './group-by-day.ts';
import type { Run } from './load-activity.ts';

const ICONS: Readonly<Record<EventKind, string>> = {
  connection: ICON_PATHS.link,
  page: ICON_PATHS.page,
  login: ICON_PATHS.signIn,
  key: ICON_PATHS.key,
  mail: ICON_PATHS.mail,
  chat: ICON_PATHS.message,
  alert: ICON_PATHS.bell,
  account: ICON_PATHS.user,
  server: ICON_PATHS.server,
};

const ICONS_BY_TYPE: Readonly<Record<string, string>> = {
  page_changed: ICON_PATHS.edit,
  page_visibility_changed: ICON_PATHS.eye,
  page_reported: ICON_PATHS.flag,
  display_name_updated: ICON_PATHS.name,
  application_received: ICON_PATHS.user,
};

/** The summaries of these events already say whether they failed. */
const TYPES_WITH_OUTCOME: ReadonlySet<string> = new Set([
  'login_failed',
  'chat_message_sent',
  'chat_message_edited',
]);

export function EventRow({
  run,
  time,
}: {
  /** Equal events in a row. */
  run: Run<AccountEvent>;
  time: ComponentChildren;
}) {
  const [{ type, outcome, detail, summary, action }] = run;
  const count = run.length;
  const groupTitle = count > 1 ? COUNTED_TITLES[type] : undefined;
  const isFailed = outcome === 'failed';
  const isHiding =
    type === 'page_visibility_changed' && detail['enabled'] === false && detail['members'] !== true;
  const isProblem = isFailed || type === 'alert_firing' || type === 'alert_no_data';
  const facts = [
    typeof detail['agent'] === 'string' && describeUserAgent(detail['agent']),
    groupTitle && formatList(run.map(subjectOf)),
    describeActor(run[0]),
    isFailed && !TYPES_WITH_OUTCOME.has(type) && t('Failed'),
    outcome === 'pending' && t('Pending'),
    count > 1 && !groupTitle && t('{count, number} times', { count }),
  ];
  return (
    <ListRow
      icon={isHiding ? ICON_PATHS.eyeOff : iconFor(type)}
      tone={isProblem ? 'warn' : type.startsWith('page_') && !isHiding ? 'tinted' : ''}
      title={
        <span class="clamped" title={groupTitle ? undefined : summary}>
          {groupTitle ? groupTitle(count) : action}
        </span>
      }
      text={facts.filter(Boolean).join(' · ')}
      end={time}
    />
  );
}

function describeActor({ key_label: key, detail: { by } }: AccountEvent): string | undefined {
  if (by === 'operator') return t('By the operator of this server');
  if (by === 'single sign-on') return t('By single sign-on');
  if (key === null) return undefined;
  return key === by ? t('With an unnamed key') : t('With the key “{name}”', { name: key });
}

/** Whom or what an event of a group is about. */
function subjectOf({ detail: { connection, display_name, account_id } }: AccountEvent): string {
  if (connection !== undefined) return String(connection);
  if (display_name) return `@${String(display_name)}`;
  return t('Account {id}', { id: String(account_id).slice(0, 8) });
}

function iconFor(type: string): string {
  const icon = ICONS_BY_TYPE[type];
  if (icon) return icon;
  if (type.startsWith('member_')) return ICON_PATHS.user;
  if (type.startsWith('passkey_')) return ICON_PATHS.passkey;
  if (type.startsWith('identity_')) return ICON_PATHS.user;
  if (type.startsWith('domain_')) return ICON_PATHS.globe;
  const [kind] = Object.entries(EVENT_TYPES_BY_KIND).find(([, types]) =>
    (types as readonly string[]).includes(type),
  ) ?? ['account'];
  return ICONS[kind as EventKind];
}

import type { ComponentChildren } from 'preact';
import { type EventKind, EVENT_TYPES_BY_KIND } from '#contract/shared/event-types.ts';
import type { ResponseOf, owner } from '#dashboard/api/api.ts';
import { describeUserAgent } from '#dashboard/components/user-agent.ts';
import { Icon } from '#dashboard/components/icon.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { t } from '#dashboard/translate.ts';
import './event-line.css';

export type AccountEvent = ResponseOf<typeof owner.events.listEvents>['events'][number];

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
  display_name_updated: ICON_PATHS.name,
};

/** The summaries of these events already say whether they failed. */
const TYPES_WITH_OUTCOME: ReadonlySet<string> = new Set([
  'login_failed',
  'chat_message_sent',
  'chat_message_edited',
]);

export function EventLine({
  event,
  count = 1,
  time,
}: {
  event: AccountEvent;
  /** Number of equal events in a row. */
  count?: number;
  time: ComponentChildren;
}) {
  const { type, outcome, detail, summary, action, key_label: key } = event;
  const isFailed = outcome === 'failed';
  const isHiding =
    type === 'page_visibility_changed' && detail['enabled'] === false && detail['members'] !== true;
  const tileClass =
    isFailed || type === 'alert_firing' || type === 'alert_no_data'
      ? 'tile warn'
      : type.startsWith('page_') && !isHiding
        ? 'tile tinted'
        : 'tile';
  return (
    <li class="event">
      <span class={tileClass}>
        <Icon path={isHiding ? ICON_PATHS.eyeOff : iconFor(type)} />
      </span>
      <div class="event-words">
        <p class="clamped" title={summary}>
          {action}
        </p>
        <p class="event-more">
          {typeof detail['agent'] === 'string' && <span>{describeUserAgent(detail['agent'])}</span>}
          {key && <span>{t('With the key “{name}”', { name: key })}</span>}
          {isFailed && !TYPES_WITH_OUTCOME.has(type) && <span class="error">{t('Failed')}</span>}
          {outcome === 'pending' && <span>{t('Pending')}</span>}
          {count > 1 && <span>{t('{count, number} times', { count })}</span>}
        </p>
      </div>
      <span class="event-more">{time}</span>
    </li>
  );
}

function iconFor(type: string): string {
  const icon = ICONS_BY_TYPE[type];
  if (icon) return icon;
  if (type.startsWith('passkey_')) return ICON_PATHS.passkey;
  if (type.startsWith('identity_')) return ICON_PATHS.user;
  if (type.startsWith('domain_')) return ICON_PATHS.globe;
  const [kind] = Object.entries(EVENT_TYPES_BY_KIND).find(([, types]) =>
    (types as readonly string[]).includes(type),
  ) ?? ['account'];
  return ICONS[kind as EventKind];
}

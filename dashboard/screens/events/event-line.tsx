import type { ComponentChildren } from 'preact';
import { type EventKind, EVENT_TYPES_BY_KIND } from '#contract/owner/event-types.ts';
import type { Answer, owner } from '#dashboard/api/api.ts';
import { agentWords } from '#dashboard/parts/agent-words.ts';
import { Icon } from '#dashboard/parts/icon.tsx';
import { LINES } from '#dashboard/parts/icon-lines.ts';
import './event-line.css';

export type Event = Answer<typeof owner.events.listEvents>['events'][number];

const ICONS: Readonly<Record<EventKind, string>> = {
  page: LINES.page,
  login: LINES.signIn,
  key: LINES.key,
  mail: LINES.mail,
  chat: LINES.message,
  alert: LINES.bell,
  account: LINES.user,
};

/** Events whose sentence says that they failed. */
const TELLING: ReadonlySet<string> = new Set([
  'login_failed',
  'chat_message_sent',
  'chat_message_edited',
]);

/** An event in a list: icon, sentence, outcome unless it succeeded, browser, and `time`. */
export function EventLine({
  event,
  time,
  isNarrow = false,
}: {
  event: Event;
  time: ComponentChildren;
  /** Whether the time is below the sentence, where there is no room beside it. */
  isNarrow?: boolean;
}) {
  const { type, outcome, detail } = event;
  const [summary, key] = event.summary.split(' by the key ');
  const isFailed = outcome === 'failed';
  const tone =
    isFailed || type === 'alert_firing'
      ? 'tile warn'
      : type.startsWith('page_')
        ? 'tile good'
        : 'tile';
  return (
    <li class="event">
      <span class={tone}>
        <Icon lines={iconOf(type)} />
      </span>
      <div class="event-words">
        <p title={event.summary}>{summary}</p>
        <p class="event-more">
          {typeof detail['agent'] === 'string' && <span>{agentWords(detail['agent'])}</span>}
          {key && <span>Key {key}</span>}
          {isFailed && !TELLING.has(type) && <span class="error">Failed</span>}
          {outcome === 'pending' && <span>Pending</span>}
          {isNarrow && <span>{time}</span>}
        </p>
      </div>
      {!isNarrow && <span class="event-more">{time}</span>}
    </li>
  );
}

function iconOf(type: string): string {
  if (type.startsWith('passkey_')) return LINES.passkey;
  if (type.startsWith('identity_')) return LINES.user;
  if (type.startsWith('domain_')) return LINES.link;
  const [kind] = Object.entries(EVENT_TYPES_BY_KIND).find(([, types]) =>
    (types as readonly string[]).includes(type),
  ) ?? ['account'];
  return ICONS[kind as EventKind];
}

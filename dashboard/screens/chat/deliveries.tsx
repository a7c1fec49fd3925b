import { owner } from '#dashboard/api/api.ts';
import { Icon } from '#dashboard/parts/icon.tsx';
import { LINES } from '#dashboard/parts/icon-lines.ts';
import { Empty, Show } from '#dashboard/parts/states.tsx';
import { Ago } from '#dashboard/parts/time.tsx';
import { useLoaded } from '#dashboard/parts/use-loaded.ts';
import type { Event } from '../events/event-line.tsx';
import '../events/event-line.css';

type Webhooks = readonly { id: string; name: string }[];

/** Why a message was not sent, by the code of the refusal. */
const REASONS: Readonly<Record<string, string>> = {
  chatPlatformFailed: 'Discord could not be reached',
  chatPlatformRateLimited: 'Discord accepts no more messages at the moment',
  chatPlatformRefused: 'Discord refused the message',
  outcomeUnknown: 'Discord did not answer: look whether it is there',
  webhookNotFound: 'Discord no longer knows the webhook',
};

/** The latest messages of the account: what was sent, where to, and what became of it. */
export function Deliveries({ turn, webhooks }: { turn: number; webhooks: Webhooks }) {
  const events = useLoaded(() => owner.events.listEvents({ kind: 'chat', limit: 8 }), [turn]);
  return (
    <section class="card">
      <h2>Recent messages</h2>
      <Show loaded={events}>
        {({ events: list }) =>
          list.length === 0 ? (
            <Empty icon={LINES.message} title="Nothing sent yet">
              <p class="muted">Messages from here, from programs and from alerts appear here.</p>
            </Empty>
          ) : (
            <ul>
              {list.map((event) => (
                <Delivery key={event.id} event={event} webhooks={webhooks} />
              ))}
            </ul>
          )
        }
      </Show>
    </section>
  );
}

function Delivery({
  event: { type, outcome, detail, created_at: time },
  webhooks,
}: {
  event: Event;
  webhooks: Webhooks;
}) {
  const isFailed = outcome === 'failed';
  const name = webhooks.find(({ id }) => id === detail['stored_webhook_id'])?.name;
  const done = type === 'chat_message_edited' ? 'Edited' : 'Sent';
  return (
    <li class="event">
      <span class={isFailed ? 'tile warn' : 'tile'}>
        <Icon lines={detail['alert_id'] ? LINES.bell : LINES.message} />
      </span>
      <div class="event-words">
        <p>{String(detail['text'] || 'Message by webhook URL')}</p>
        <p class="event-more">
          <span class={isFailed ? 'error' : undefined}>
            {isFailed
              ? (REASONS[String(detail['code'])] ?? 'Not sent')
              : outcome === 'pending'
                ? 'Pending'
                : done}
          </span>
          {name && <span>{name}</span>}
          <span>
            <Ago time={time} />
          </span>
        </p>
      </div>
    </li>
  );
}

import { owner } from '#dashboard/api/api.ts';
import { Icon } from '#dashboard/components/icon.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { Empty, AsyncContent } from '#dashboard/components/async-content.tsx';
import { TimeAgo } from '#dashboard/components/time.tsx';
import { useAsync } from '#dashboard/components/use-async.ts';
import { t } from '#dashboard/translate.ts';
import type { AccountEvent } from '../events/event-line.tsx';
import '../events/event-line.css';

type Webhooks = readonly { id: string; name: string }[];

const FAILURE_REASONS: Readonly<Record<string, string>> = {
  chatPlatformFailed: t('Discord could not be reached'),
  chatPlatformRateLimited: t('Discord is limiting messages right now'),
  chatPlatformRefused: t('Discord refused the message'),
  outcomeUnknown: t('Discord did not respond. Check whether the message is there.'),
  webhookNotFound: t('Discord no longer knows the webhook'),
};

/** Recent messages with their outcome. Reloads when `sendCount` changes. */
export function Deliveries({ sendCount, webhooks }: { sendCount: number; webhooks: Webhooks }) {
  const events = useAsync(() => owner.events.listEvents({ type: 'chat', limit: 8 }), [sendCount]);
  return (
    <section class="card">
      <h2>{t('Recent messages')}</h2>
      <AsyncContent state={events}>
        {({ events: list }) =>
          list.length === 0 ? (
            <Empty icon={ICON_PATHS.message} title={t('Nothing sent yet')}>
              <p class="muted">
                {t('Messages from here, from programs and from alerts appear here.')}
              </p>
            </Empty>
          ) : (
            <ul>
              {list.map((event) => (
                <Delivery key={event.id} event={event} webhooks={webhooks} />
              ))}
            </ul>
          )
        }
      </AsyncContent>
    </section>
  );
}

function Delivery({
  event: { type, outcome, detail, created_at: time },
  webhooks,
}: {
  event: AccountEvent;
  webhooks: Webhooks;
}) {
  const isFailed = outcome === 'failed';
  const name = webhooks.find(
    ({ id }) => id === (detail['connection_id'] ?? detail['webhook_id']),
  )?.name;
  const verb = type === 'chat_message_edited' ? t('Edited') : t('Sent');
  return (
    <li class="event">
      <span class={isFailed ? 'tile warn' : 'tile'}>
        <Icon path={detail['alert_id'] ? ICON_PATHS.bell : ICON_PATHS.message} />
      </span>
      <div class="event-words">
        <p>{String(detail['text'] || t('Message by webhook URL'))}</p>
        <p class="event-more">
          <span class={isFailed ? 'error' : undefined}>
            {isFailed
              ? (FAILURE_REASONS[String(detail['code'])] ?? t('Not sent'))
              : outcome === 'pending'
                ? t('Pending')
                : verb}
          </span>
          {name && <span>{name}</span>}
          <span>
            <TimeAgo time={time} />
          </span>
        </p>
      </div>
    </li>
  );
}

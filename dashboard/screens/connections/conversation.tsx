import { useLayoutEffect, useRef } from 'preact/hooks';
import { owner } from '#dashboard/api/api.ts';
import { Empty } from '#dashboard/components/async-content.tsx';
import { Icon } from '#dashboard/components/icon.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { withErrorMessage } from '#dashboard/components/messages.tsx';
import { TimeOfDay } from '#dashboard/components/time.tsx';
import { instanceName } from '#dashboard/instance.ts';
import { dashboardHref } from '#dashboard/router.ts';
import { t } from '#dashboard/translate.ts';
import { groupByDay } from '../events/group-by-day.ts';
import { Composer, type Payload } from './composer.tsx';
import { sendAgain } from './connection-actions.ts';
import { type Connection, describeState } from './connection-state.ts';
import { listPosts, type Post } from './conversation-posts.ts';

const STORAGE_KEY = 'unsent messages';
/** Messages that could not be sent, by the id of their event. Kept until the tab closes. */
const unsent = new Map(
  JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '[]') as [id: string, payload: Payload][],
);

function keepUnsent(id: string, payload?: Payload): void {
  if (payload) unsent.set(id, payload);
  else unsent.delete(id);
  sessionStorage.setItem(STORAGE_KEY, JSON.stringify([...unsent]));
}

interface ConversationProps {
  connection: Connection;
  channels: readonly Connection[];
  history: Parameters<typeof listPosts>[2];
  onChange: () => void;
}

export function Conversation({ connection, channels, history, onChange }: ConversationProps) {
  const { id: connection_id, name } = connection;
  const posts = listPosts(connection, instanceName.value, history);
  const log = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    log.current!.scrollTop = log.current!.scrollHeight;
  }, [posts.length]);
  const send = async (payload: Payload) => {
    try {
      await owner.connections.sendMessage({ connection_id, payload });
    } catch (error) {
      const [event] = (await owner.events.listEvents({ type: 'chat', limit: 1 })).events;
      // Without an event it was refused at once, so the message stays in its field.
      if (event?.outcome !== 'failed' || event.id === history.events[0]?.id) throw error;
      keepUnsent(event.id, payload);
    }
    onChange();
  };
  const retry = async ({ id, isDelivery }: Post) => {
    if (isDelivery) return sendAgain('discord', id).finally(onChange);
    await withErrorMessage(send(unsent.get(id)!));
    keepUnsent(id);
  };
  return (
    <div class={channels.length > 1 ? 'main-and-side' : undefined}>
      <section class="card">
        <div ref={log} class="posts" role="log" aria-label={t('Messages')} tabIndex={0}>
          {posts.length === 0 && (
            <Empty icon={ICON_PATHS.message} title={t('Nothing sent yet')}>
              <p class="muted">
                {t('Messages from here, from programs and from alerts appear here.')}
              </p>
            </Empty>
          )}
          {groupByDay(posts).map(({ title, events }) => (
            <section key={title}>
              <h2 class="or-divider hint">{title}</h2>
              {events.map((post) => (
                <PostRow key={post.id} post={post} onRetry={() => void retry(post)} />
              ))}
            </section>
          ))}
        </div>
        <Composer name={name} onSend={send} />
        <p class="hint">{t('Answers in Discord do not appear here.')}</p>
      </section>
      {channels.length > 1 && (
        <section class="card">
          <h2>{t('Channels')}</h2>
          <ul class="row-list">
            {channels.map((channel) => (
              <li key={channel.id}>
                <a
                  class="strong"
                  href={dashboardHref(`connections/${channel.id}`)}
                  aria-current={channel.id === connection_id ? 'page' : undefined}
                >
                  {channel.name}
                </a>
                <p class="hint">{describeState(channel).text}</p>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

function PostRow({ post, onRetry }: { post: Post; onRetry: () => void }) {
  const { id, author, iconPath, text, created_at, error, isDelivery } = post;
  return (
    <div class="post">
      <span class="tile round good">
        <Icon path={iconPath} />
      </span>
      <div>
        <p>
          <strong>{author}</strong>{' '}
          <span class="hint">
            <TimeOfDay time={created_at} />
          </span>
        </p>
        <p class={error === undefined ? undefined : 'muted'} dir="auto">
          {text}
        </p>
        {error !== undefined && (
          <p class="row">
            <span class="error">{error || t('On its way')}</span>
            {(isDelivery || unsent.has(id)) && (
              <button type="button" class="link" onClick={onRetry}>
                {t('Send again')}
              </button>
            )}
          </p>
        )}
      </div>
    </div>
  );
}

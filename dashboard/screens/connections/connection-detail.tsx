import type { Signal } from '@preact/signals';
import { owner } from '#dashboard/api/api.ts';
import { AsyncContent, Empty } from '#dashboard/components/async-content.tsx';
import { Code } from '#dashboard/components/code.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { Menu } from '#dashboard/components/menu.tsx';
import { ScreenHeader } from '#dashboard/components/screen-header.tsx';
import { TimeAgo } from '#dashboard/components/time.tsx';
import { useAsync } from '#dashboard/components/use-async.ts';
import { t } from '#dashboard/translate.ts';
import { listActions, sendAgain, switchConnection } from './connection-actions.ts';
import { type Connection, type Delivery, describeState } from './connection-state.ts';
import { Conversation } from './conversation.tsx';
import { describeTypes } from './event-groups.ts';
import { createSecret, NewKey, type NewSecret } from './new-key.tsx';

interface DetailProps {
  connection: Connection;
  connections: readonly Connection[];
  newSecret: Signal<NewSecret | undefined>;
  onChange: () => void;
}

export function ConnectionDetail({ connection, connections, newSecret, onChange }: DetailProps) {
  const { id, kind, name, target, event_types } = connection;
  const { tone, text, advice } = describeState(connection);
  const history = useAsync(async () => {
    const [{ deliveries }, { events }] = await Promise.all([
      owner.connections.listDeliveries({ connection_id: id }),
      kind === 'discord' ? owner.events.listEvents({ type: 'chat', limit: 50 }) : { events: [] },
    ]);
    return { deliveries: deliveries as Delivery[], events };
  }, [connection]);
  const [test, edit, ...others] = listActions(connection, onChange);
  const newKey = {
    label: t('New signing key'),
    iconPath: ICON_PATHS.key,
    run: () => createSecret(id, newSecret),
  };
  return (
    <>
      <ScreenHeader
        title={name}
        parent={{ title: t('Connections'), path: 'connections' }}
        subtitle={[target, describeTypes(event_types)].filter(Boolean).join(' · ')}
      >
        {[test!, edit!].map(({ label, run }) => (
          <button key={label} type="button" onClick={run}>
            {label}
          </button>
        ))}
        <Menu
          label={t('More for {name}', { name })}
          items={() => (kind === 'webhook' ? [newKey, ...others] : others)}
        />
      </ScreenHeader>
      {newSecret.value?.id === id && <NewKey newSecret={newSecret} />}
      {advice && (
        <div class={tone === 'bad' ? 'panel bad' : 'card'}>
          <p role="status">
            <strong>{text}.</strong> {advice}
          </p>
          {connection.disabled_at !== null && (
            <button type="button" onClick={() => void switchConnection(connection, onChange)}>
              {t('Switch on')}
            </button>
          )}
        </div>
      )}
      <AsyncContent state={history}>
        {(loaded) =>
          kind === 'discord' ? (
            <Conversation
              connection={connection}
              channels={connections.filter((other) => other.kind === 'discord')}
              history={loaded}
              onChange={onChange}
            />
          ) : (
            <section class="card">
              <h2>{t('Deliveries')}</h2>
              {loaded.deliveries.length === 0 && (
                <Empty icon={ICON_PATHS.clock} title={t('Nothing sent yet')}>
                  <p class="muted">{t('Send a test to see whether it arrives.')}</p>
                </Empty>
              )}
              <ul class="row-list">
                {loaded.deliveries.map((delivery) => (
                  <DeliveryRow
                    key={delivery.id}
                    kind={kind}
                    delivery={delivery}
                    onChange={onChange}
                  />
                ))}
              </ul>
            </section>
          )
        }
      </AsyncContent>
    </>
  );
}

interface RowProps {
  kind: Connection['kind'];
  delivery: Delivery;
  onChange: () => void;
}

function DeliveryRow({ kind, delivery, onChange }: RowProps) {
  const { id, summary, status, error, response_status, response, duration_ms } = delivery;
  const { type, created_at: timestamp, data } = delivery;
  const words = { delivered: t('delivered'), failed: t('failed'), pending: t('waiting') };
  const result = [response_status ?? words[status], duration_ms !== null && `${duration_ms} ms`];
  return (
    <li class="delivery">
      <details class="grow">
        <summary>
          <span class="hint">
            <TimeAgo time={timestamp} />
          </span>
          <span class="grow ellipsis">{summary}</span>
          <code class={error === null ? 'muted' : 'error'}>
            {result.filter(Boolean).join(' · ')}
          </code>
        </summary>
        {error && <p class="error">{error}</p>}
        {response && <Code text={response} label={t('answer')} />}
        {kind === 'webhook' && (
          <>
            <p class="hint">
              <code>webhook-id: {id}</code>
            </p>
            <Code text={JSON.stringify({ type, timestamp, data }, null, 2)} label="JSON" />
          </>
        )}
      </details>
      {status !== 'delivered' && (
        <button
          type="button"
          class="quiet small"
          aria-label={`${t('Send again')}: ${summary}`}
          onClick={() => void sendAgain(kind, id).finally(onChange)}
        >
          {t('Send again')}
        </button>
      )}
    </li>
  );
}

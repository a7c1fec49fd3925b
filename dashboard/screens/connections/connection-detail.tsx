import type { Signal } from '@preact/signals';
import { owner } from '#dashboard/api/api.ts';
import { AsyncContent, Empty } from '#dashboard/components/async-content.tsx';
import { Code } from '#dashboard/components/code.tsx';
import { formatMoment } from '#dashboard/components/format-time-ago.ts';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { Menu } from '#dashboard/components/menu.tsx';
import { ScreenHeader } from '#dashboard/components/screen-header.tsx';
import { TimeAgo } from '#dashboard/components/time.tsx';
import { useAsync } from '#dashboard/components/use-async.ts';
import { isOn } from '#dashboard/facts.ts';
import { dashboardHref } from '#dashboard/router.ts';
import { t } from '#dashboard/translate.ts';
import { listActions, sendAgain, sendFailed, switchConnection } from './connection-actions.ts';
import {
  carriesAlerts,
  type Connection,
  type Delivery,
  describeDelivery,
  describeState,
} from './connection-state.ts';
import { describeTypes } from './event-groups.ts';
import { createSecret, NewKey, type NewSecret } from './new-key.tsx';

interface DetailProps {
  connection: Connection;
  newSecret: Signal<NewSecret | undefined>;
  onChange: () => void;
}

export function ConnectionDetail({ connection, newSecret, onChange }: DetailProps) {
  const { id, kind, name, target, event_types } = connection;
  const { tone, text, advice } = describeState(connection);
  const history = useAsync(
    async () => {
      const { deliveries } = await owner.connections.listDeliveries({ connection_id: id });
      return deliveries as Delivery[];
    },
    [connection],
    { keepsOldValue: true },
  );
  const [test, edit, ...others] = listActions(connection, onChange);
  const newKey = {
    label: t('New signing key'),
    iconPath: ICON_PATHS.key,
    run: () => createSecret(connection, newSecret).finally(onChange),
  };
  return (
    <>
      <ScreenHeader
        title={name}
        parent={{ title: t('Connections'), path: 'connections' }}
        subtitle={[target, describeTypes(event_types)].filter(Boolean).join('\u00a0· ')}
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
            <strong>{text.replace(/\.?$/, '.')}</strong> {advice}
          </p>
          {connection.disabled_at !== null && (
            <button type="button" onClick={() => void switchConnection(connection, onChange)}>
              {t('Switch on')}
            </button>
          )}
        </div>
      )}
      {connection.former_secret_until !== null && (
        <p class="panel">
          {t('The former signing key is valid until {time}.', {
            time: formatMoment(connection.former_secret_until),
          })}
        </p>
      )}
      <AsyncContent state={history}>
        {(deliveries) => (
          <section class="card">
            <div class="card-head">
              <h2>{t('Deliveries')}</h2>
              {connection.disabled_at === null &&
                deliveries.filter(({ status, type }) => status === 'failed' && type !== 'test')
                  .length > 1 && (
                  <button
                    type="button"
                    class="quiet small"
                    onClick={() => void sendFailed(id).finally(onChange)}
                  >
                    {t('Send all failed again')}
                  </button>
                )}
              {isOn('alerts') && carriesAlerts(connection) && (
                <a href={dashboardHref('metrics')}>{t('Add an alert in Metrics')}</a>
              )}
            </div>
            {deliveries.length === 0 && (
              <Empty icon={ICON_PATHS.clock} title={t('Nothing sent yet')}>
                <p class="muted">{t('Send a test to see whether it arrives.')}</p>
              </Empty>
            )}
            <ul class="row-list">
              {deliveries.map((delivery) => (
                <DeliveryRow
                  key={delivery.id}
                  kind={kind}
                  delivery={delivery}
                  onChange={onChange}
                />
              ))}
            </ul>
          </section>
        )}
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
  const { id, type, data, summary, status, error, created_at: timestamp } = delivery;
  const { attempts, attempted_at, response_status, response, duration_ms } = delivery;
  const words = {
    delivered: t('delivered'),
    failed: t('failed'),
    pending: error === null ? t('waiting') : t('will be tried again'),
  };
  const isOver = status !== 'pending' && duration_ms !== null;
  const result = [response_status ?? words[status], isOver && `${duration_ms} ms`];
  return (
    <li class="delivery">
      <details class="grow">
        <summary>
          <span class="hint">
            <TimeAgo time={timestamp} />
          </span>
          <span class="grow ellipsis">{summary}</span>
          <code class={error === null ? 'muted' : 'error'}>
            {result.filter(Boolean).join('\u00a0· ')}
          </code>
        </summary>
        {error && <p class="error">{error}</p>}
        {attempted_at !== null && (
          <p class="hint">
            {t('{count, plural, one {# try} other {# tries}}, the last one at {time}', {
              count: attempts,
              time: formatMoment(attempted_at),
            })}
          </p>
        )}
        <p class="label">{t('Sent')}</p>
        {kind === 'webhook' ? (
          <Code
            text={`webhook-id: ${id}\n\n${JSON.stringify({ type, timestamp, data }, null, 2)}`}
            label={t('request')}
          />
        ) : (
          <Code text={describeDelivery(delivery)} label={t('message')} />
        )}
        {response && (
          <>
            <p class="label">{t('Answer')}</p>
            <Code text={response} label={t('answer')} />
          </>
        )}
      </details>
      {(status !== 'delivered' || error !== null) && (
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

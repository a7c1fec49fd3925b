import type { Signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { AlertCondition, AlertState } from '#contract/alert-condition.ts';
import { formatAlertValue, describeCondition } from '#contract/shared/alert-text.ts';
import { owner } from '#dashboard/api/api.ts';
import { Empty, AsyncContent } from '#dashboard/components/async-content.tsx';
import { confirm } from '#dashboard/components/confirm.tsx';
import { Dialog } from '#dashboard/components/dialog.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { Icon } from '#dashboard/components/icon.tsx';
import { ListRow } from '#dashboard/components/list-row.tsx';
import { showMessage, withErrorMessage } from '#dashboard/components/messages.tsx';
import { TimeAgo } from '#dashboard/components/time.tsx';
import { useAsync } from '#dashboard/components/use-async.ts';
import { usePolling } from '#dashboard/components/use-polling.ts';
import { useReloadOnFocus } from '#dashboard/components/use-reload-on-focus.ts';
import { dashboardHref, fragment } from '#dashboard/router.ts';
import { t } from '#dashboard/translate.ts';
import { loadConnections, sendTest } from '../connections/connection-actions.ts';
import type { Connection } from '../connections/connection-state.ts';
import { type Alert, AlertForm } from './alert-form.tsx';
import { NobodyNote } from './alert-target.tsx';
import './alerts.css';
import type { MetricsQuery } from './metrics-query.ts';

export function AddAlertButton({
  class: buttonClass,
  editedAlert,
}: {
  class?: string;
  editedAlert: Signal<Alert | 'new' | undefined>;
}) {
  return (
    <button type="button" class={buttonClass} onClick={() => (editedAlert.value = 'new')}>
      <Icon path={ICON_PATHS.bell} />
      {t('Add alert')}
    </button>
  );
}

export function Alerts({
  projectId,
  query,
  editedAlert,
}: {
  projectId: string;
  query: MetricsQuery;
  editedAlert: Signal<Alert | 'new' | undefined>;
}) {
  const loaded = useAsync(async () => {
    const [{ alerts }, { connections }] = await Promise.all([
      owner.alerts.listAlerts({ project_id: projectId }),
      loadConnections(),
    ]);
    return { alerts, connections };
  });
  // Do not refresh while the form is open, so that its options do not change.
  usePolling(editedAlert.value === undefined ? 'background' : undefined, loaded.poll);
  useReloadOnFocus(loaded.reload);
  const close = () => (editedAlert.value = undefined);
  return (
    <section class="card">
      <div class="card-head">
        <h2>{t('Alerts')}</h2>
        <a href={dashboardHref('connections')}>{t('Connections')}</a>
        <AddAlertButton editedAlert={editedAlert} />
      </div>
      <AsyncContent state={loaded}>
        {({ alerts, connections }) =>
          alerts.length === 0 ? (
            <Empty icon={ICON_PATHS.bell} title={t('No alerts yet')}>
              <p class="muted">
                {t(
                  'Get a message when a number gets too high or too low, or when nothing arrives.',
                )}
              </p>
            </Empty>
          ) : (
            <ul>
              {alerts.map((alert) => (
                <AlertLine
                  key={alert.id}
                  alert={alert}
                  connections={connections}
                  onEdit={() => (editedAlert.value = alert)}
                  onChange={loaded.reload}
                />
              ))}
            </ul>
          )
        }
      </AsyncContent>
      {editedAlert.value && loaded.value && (
        <Dialog
          title={editedAlert.value === 'new' ? t('Add alert') : t('Edit alert')}
          onCancel={close}
        >
          <AlertForm
            projectId={projectId}
            alert={editedAlert.value === 'new' ? undefined : editedAlert.value}
            query={query}
            connections={loaded.value.connections}
            onCancel={close}
            onSaved={() => {
              close();
              loaded.reload();
            }}
          />
        </Dialog>
      )}
    </section>
  );
}

const STATE_PILLS: Readonly<Record<AlertState, readonly [pill: string, text: string]>> = {
  new: ['pill', t('Checked once a minute')],
  fine: ['pill good', t('OK')],
  firing: ['pill warn', t('Firing')],
  no_data: ['pill', t('No data')],
};

function AlertFacts({ alert, target }: { alert: Alert; target: string }) {
  const { state, comparison, value, changed_at, sent_at, paused_until } = alert;
  const [pillClass, stateText] = STATE_PILLS[state as AlertState];
  return (
    <p class="row alert-facts">
      <span class={pillClass}>{stateText}</span>
      {state === 'firing' && changed_at && (
        <span>
          {t.rich('started <time></time>', { time: () => <TimeAgo time={changed_at} /> })}
        </span>
      )}
      {comparison !== 'absent' && state !== 'new' && (
        <span>{t('Now {value}', { value: formatAlertValue(value, t) })}</span>
      )}
      <span>{t('To {target}', { target })}</span>
      {sent_at && (
        <span>
          {t.rich('Last message <time></time>', { time: () => <TimeAgo time={sent_at} /> })}
        </span>
      )}
      {paused_until && (
        <span>
          {t.rich('Can fire again <time></time>', {
            time: () => <TimeAgo time={paused_until} />,
          })}
        </span>
      )}
    </p>
  );
}

function AlertLine({
  alert,
  connections,
  onEdit,
  onChange,
}: {
  alert: Alert;
  connections: readonly Connection[];
  onEdit: () => void;
  onChange: () => void;
}) {
  const { id: alert_id } = alert;
  const description = describeCondition(alert as AlertCondition, t);
  const connection = connections.find(({ id }) => id === alert.connection_id);
  const isLinked = fragment.value === alert_id;
  const titleElement = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (isLinked) titleElement.current!.scrollIntoView({ block: 'center' });
  }, [isLinked]);
  const remove = async () => {
    const text = t('“{description}” will no longer be checked.', { description });
    if (!(await confirm({ title: t('Delete this alert?'), text, action: t('Delete') }))) return;
    if (!(await withErrorMessage(owner.alerts.deleteAlert({ alert_id })))) return;
    showMessage(t('Deleted the alert.'));
    onChange();
  };
  return (
    <ListRow
      title={<span ref={titleElement}>{description}</span>}
      text={
        <>
          <AlertFacts
            alert={alert}
            target={connection?.name ?? t('all connections that get alerts')}
          />
          {alert.connection_id === null && <NobodyNote connections={connections} />}
          {alert.last_error && <p class="error">{alert.last_error}</p>}
        </>
      }
      actions={
        <>
          {connection && (
            <button type="button" class="quiet" onClick={() => void sendTest(connection)}>
              {t('Send a test')}
            </button>
          )}
          <button
            type="button"
            class="quiet"
            aria-label={t('Edit: {description}', { description })}
            onClick={onEdit}
          >
            {t('Edit')}
          </button>
          <button
            type="button"
            class="quiet danger"
            aria-label={t('Delete: {description}', { description })}
            onClick={() => void remove()}
          >
            {t('Delete')}
          </button>
        </>
      }
    />
  );
}

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { AlertAggregate, AlertComparison } from '#contract/alert-condition.ts';
import { alertStateFor } from '#contract/shared/alert-state.ts';
import {
  formatAlertValue,
  formatTimeWindow,
  describeCondition,
} from '#contract/shared/alert-text.ts';
import { MINUTE_MS } from '#contract/shared/durations.ts';
import { type ResponseOf, owner } from '#dashboard/api/api.ts';
import { BoundField } from '#dashboard/components/field.tsx';
import { Form } from '#dashboard/components/form.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { Icon } from '#dashboard/components/icon.tsx';
import { showMessage } from '#dashboard/components/messages.tsx';
import { Switch } from '#dashboard/components/switch.tsx';
import { useAsync } from '#dashboard/components/use-async.ts';
import { t } from '#dashboard/translate.ts';
import { carriesAlerts, type Connection } from '../connections/connection-state.ts';
import { alertMeasureOf } from './alert-measure.ts';
import { NobodyNote } from './alert-target.tsx';
import { formatPath, type MetricsQuery } from './metrics-query.ts';

export type Alert = ResponseOf<typeof owner.alerts.listAlerts>['alerts'][number];
const AGGREGATE_OPTIONS = [
  ['sum', t('sum')],
  ['avg', t('average')],
  ['count', t('count')],
  ['min', t('minimum')],
  ['max', t('maximum')],
] as const;
const COMPARISON_OPTIONS = [
  ['above', t('is above')],
  ['below', t('is below')],
  ['absent', t('has not arrived')],
] as const;
const NO_PATH = '[]';
const WINDOW_MINUTES = [1, 5, 15, 30, 60, 180, 720, 1_440];
const PAUSE_OPTIONS = [
  ['0', t('No limit')],
  ['15', t('One every 15 minutes')],
  ['60', t('One an hour')],
  ['360', t('One every 6 hours')],
  ['1440', t('One a day')],
] as const;

interface AlertFormProps {
  projectId: string;
  alert: Alert | undefined;
  /** The query of the chart, which a new alert starts with. */
  query: MetricsQuery;
  connections: readonly Connection[];
  onCancel: () => void;
  onSaved: () => void;
}

export function AlertForm(props: AlertFormProps) {
  const { projectId, alert, query, connections, onCancel, onSaved } = props;
  const draft = useAlertDraft(props);
  const pauseMinutes = useSignal(String(alert?.pause_minutes ?? 60));
  const connectionId = useSignal(alert?.connection_id ?? '');
  const notifiesNoData = useSignal(alert?.notify_no_data ?? true);
  const carrying = connections.filter(carriesAlerts);
  const save = async () => {
    const settings = {
      ...draft.condition,
      pause_minutes: Number(pauseMinutes.value),
      connection_id: connectionId.value || null,
      notify_no_data: notifiesNoData.value,
    };
    await (alert
      ? owner.alerts.updateAlert({ alert_id: alert.id, ...settings })
      : owner.alerts.createAlert({ project_id: projectId, ...settings }));
    showMessage(alert ? t('Saved the alert.') : t('Added the alert. It is checked once a minute.'));
    onSaved();
  };
  return (
    <Form
      fields={['threshold']}
      submitLabel={alert ? t('Save') : t('Add alert')}
      onCancel={onCancel}
      onSubmit={save}
    >
      <ConditionFields {...draft} />
      {!draft.isPathMissing && <ConditionPreview projectId={projectId} {...draft} />}
      {!alert && !!query.filters?.length && (
        <p class="note">{t('The filters of the chart do not apply to alerts.')}</p>
      )}
      <BoundField
        signal={connectionId}
        name="connection_id"
        label={t('Send a message to')}
        options={[
          ['', t('All connections that get alerts ({count})', { count: carrying.length })],
          ...connections.map((connection) => {
            const { id, name } = connection;
            const isCarrying = carrying.includes(connection);
            return [
              id,
              isCarrying
                ? t('Only {name}, which gets all alerts', { name })
                : t('Only {name}', { name }),
            ] as const;
          }),
        ]}
      />
      {connectionId.value === '' && <NobodyNote connections={connections} />}
      <BoundField
        signal={pauseMinutes}
        name="pause_minutes"
        label={t('Limit messages to')}
        options={PAUSE_OPTIONS}
      />
      {draft.canLackData && (
        <Switch
          label={t('Also send a message when there is no data any more')}
          checked={notifiesNoData.value}
          onChange={(isOn) => (notifiesNoData.value = isOn)}
        />
      )}
    </Form>
  );
}

/** The condition that the user is editing. */
function useAlertDraft({ projectId, alert, query }: AlertFormProps) {
  const description = useAsync(() => owner.metrics.getMetricFields({ project_id: projectId }));
  const initial = alert ?? alertMeasureOf(query);
  const path = useSignal(JSON.stringify(initial.path));
  const aggregate = useSignal<string>(initial.aggregate);
  const minutes = useSignal(String(initial.minutes));
  const comparison = useSignal<string>(alert?.comparison ?? 'above');
  const threshold = useSignal(String(alert?.threshold ?? 10));
  const isAbsent = comparison.value === 'absent';
  const measure = {
    path: JSON.parse(path.value) as string[],
    aggregate: (isAbsent ? 'count' : aggregate.value) as AlertAggregate,
  };
  const condition = {
    ...measure,
    minutes: Number(minutes.value),
    comparison: comparison.value as AlertComparison,
    ...(!isAbsent && { threshold: threshold.value.trim() === '' ? NaN : Number(threshold.value) }),
  };
  const isPathMissing = measure.aggregate !== 'count' && path.value === NO_PATH;
  const fields = description.value?.fields ?? [];
  const firstNumber = fields.find(({ types }) => types.includes('number'));
  useEffect(() => {
    if (isPathMissing && firstNumber) path.value = JSON.stringify(firstNumber.path);
  }, [isPathMissing, firstNumber]);
  const paths = [[], ...fields.map(({ path: keys }) => keys), initial.path];
  return {
    signals: { path, aggregate, minutes, comparison, threshold },
    pathOptions: [...new Set(paths.map((keys) => JSON.stringify(keys)))],
    condition,
    // Without metrics, counts and sums are 0.
    canLackData: !isAbsent && !['count', 'sum'].includes(measure.aggregate),
    isPathMissing,
  };
}

type AlertDraft = ReturnType<typeof useAlertDraft>;

function ConditionFields({ signals, pathOptions, condition }: AlertDraft) {
  const isAbsent = condition.comparison === 'absent';
  return (
    <div class="chips condition">
      {!isAbsent && (
        <BoundField
          signal={signals.aggregate}
          name="aggregate"
          label={t('condition|When the')}
          options={AGGREGATE_OPTIONS}
        />
      )}
      <BoundField
        signal={signals.path}
        name="path"
        label={isAbsent ? t('condition|When') : t('condition|of')}
        options={pathOptions.map((keys) => [keys, formatPath(JSON.parse(keys) as string[])])}
      />
      <BoundField
        class="unlabeled"
        signal={signals.comparison}
        name="comparison"
        label={t('condition|value')}
        options={COMPARISON_OPTIONS}
      />
      {!isAbsent && (
        <BoundField
          signal={signals.threshold}
          class="unlabeled"
          type="number"
          name="threshold"
          label={t('condition|threshold')}
        />
      )}
      <BoundField
        signal={signals.minutes}
        name="minutes"
        label={t('condition|in')}
        options={[...new Set([...WINDOW_MINUTES, condition.minutes])].map((length) => [
          String(length),
          formatTimeWindow(length, t),
        ])}
      />
    </div>
  );
}

function ConditionPreview({
  projectId,
  condition,
}: Pick<AlertDraft, 'condition'> & { projectId: string }) {
  const { path, aggregate, minutes } = condition;
  const measure = { path, aggregate };
  const currentValue = useAsync(async () => {
    const until = Date.now();
    const since = new Date(until - minutes * MINUTE_MS).toISOString();
    const range = { project_id: projectId, since, until: new Date(until).toISOString() };
    const { totals } = await owner.metrics.queryMetrics({ ...range, measures: [measure] });
    return { value: totals[0] ?? null };
  }, [JSON.stringify(path), aggregate, minutes]);
  const current = currentValue.value?.value;
  const complete = { threshold: null, ...condition };
  const isFiring = current !== undefined && alertStateFor(complete, current) === 'firing';
  const value = formatAlertValue(current ?? null, t);
  return (
    <div class="row alert-preview">
      <span class={isFiring ? 'tile warn' : 'tile good'}>
        <Icon path={ICON_PATHS.bell} />
      </span>
      <div class="grow">
        <p class="strong">{describeCondition(complete, t)}</p>
        <p class="hint" role="status">
          {currentValue.failure ??
            (current === undefined
              ? t('Reading the value…')
              : condition.comparison === 'absent'
                ? t('{count} arrived in {window}.', {
                    count: value,
                    window: formatTimeWindow(minutes, t),
                  })
                : t('Now: {value}', { value }))}
        </p>
      </div>
      {isFiring && <span class="pill warn">{t('Fires now')}</span>}
    </div>
  );
}

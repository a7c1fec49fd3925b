import { useSignal } from '@preact/signals';
import { MINUTE_MS } from '#contract/durations.ts';
import type { AlertAggregate, AlertComparison } from '#contract/alert-condition.ts';
import { alertStateFor } from '#contract/alert-state.ts';
import { formatAlertValue, formatTimeWindow, describeCondition } from '#contract/alert-text.ts';
import { type Answer, owner } from '#dashboard/api/api.ts';
import { Bound } from '#dashboard/parts/field.tsx';
import { Form } from '#dashboard/parts/form.tsx';
import { Icon } from '#dashboard/parts/icon.tsx';
import { LINES } from '#dashboard/parts/icon-lines.ts';
import { say } from '#dashboard/parts/messages.tsx';
import { useLoaded } from '#dashboard/parts/use-loaded.ts';
import { WEBHOOK_FIELDS, WebhookFields } from '#dashboard/parts/webhook-fields.tsx';
import type { Alert } from './alert.ts';
import { formatPath } from './metrics-query.ts';

type WebhookList = Answer<typeof owner.webhooks.listWebhooks>;
interface AlertTargets extends WebhookList {
  address: string | null;
}

const NEW = 'new';
const MAIL = '';
const AGGREGATES = [
  ['sum', 'sum'],
  ['avg', 'average'],
  ['count', 'count'],
  ['min', 'minimum'],
  ['max', 'maximum'],
] as const;
const COMPARISONS = [
  ['above', 'is above'],
  ['below', 'is below'],
  ['absent', 'has not arrived'],
] as const;
const MINUTES = [1, 5, 15, 30, 60, 180, 720, 1_440];
const PAUSES = [
  ['0', 'No limit'],
  ['15', 'One every 15 minutes'],
  ['60', 'One an hour'],
  ['360', 'One every 6 hours'],
  ['1440', 'One a day'],
] as const;

/** Words a condition as a sentence, with what it says now, and chooses where its messages go. */
export function AlertForm({
  projectId,
  alert,
  targets: { address, webhooks, available },
  onCancel,
  onSaved,
}: {
  projectId: string;
  /** The alert to change; without it a new one is created. */
  alert: Alert | undefined;
  targets: AlertTargets;
  onCancel: () => void;
  onSaved: () => void;
}) {
  const described = useLoaded(() => owner.metrics.describeMetrics({ projectId }));
  const path = useSignal(JSON.stringify(alert?.path ?? []));
  const aggregate = useSignal<string>(alert?.aggregate ?? 'count');
  const minutes = useSignal(String(alert?.minutes ?? 15));
  const comparison = useSignal<string>(alert?.comparison ?? 'above');
  const threshold = useSignal(String(alert?.threshold ?? 10));
  const pause = useSignal(String(alert?.pause_minutes ?? 60));
  // Webhooks that this form created.
  const created = useSignal<WebhookList['webhooks']>([]);
  const options = [
    ...(address === null ? [] : [[MAIL, address] as const]),
    ...[...webhooks, ...created.value].map(
      ({ id, name: text }) => [id, `${text} (Discord)`] as const,
    ),
    ...(available ? [[NEW, 'A new Discord webhook…'] as const] : []),
  ];
  const wanted = alert && (alert.webhook_id ?? MAIL);
  // Without any target, the server says what is missing.
  const target = useSignal((options.find(([id]) => id === wanted) ?? options[0] ?? [MAIL])[0]);
  const name = useSignal('');
  const url = useSignal('');
  const isAbsent = comparison.value === 'absent';
  const measure = {
    path: JSON.parse(path.value) as string[],
    aggregate: (isAbsent ? 'count' : aggregate.value) as AlertAggregate,
  };
  const condition = {
    ...measure,
    minutes: Number(minutes.value),
    comparison: comparison.value as AlertComparison,
    ...(!isAbsent && {
      threshold: threshold.value.trim() === '' ? NaN : Number(threshold.value),
    }),
  };
  const now = useLoaded(async () => {
    const until = Date.now();
    const since = new Date(until - Number(minutes.value) * MINUTE_MS).toISOString();
    const range = { projectId, since, until: new Date(until).toISOString() };
    const { totals } = await owner.metrics.queryMetrics({ ...range, measures: [measure] });
    return { value: totals[0] ?? null };
  }, [path.value, measure.aggregate, minutes.value]);
  const paths = described.value?.fields.map(({ path: keys }) => keys) ?? [];
  const known = [[], ...paths, ...(alert ? [alert.path] : [])].map((keys) => JSON.stringify(keys));
  const save = async () => {
    let webhookId: string | null = target.value || null;
    if (webhookId === NEW) {
      const input = { name: name.value.trim(), webhookUrl: url.value.trim() };
      const { webhook } = await owner.webhooks.createWebhook(input);
      webhookId = webhook.id;
      // A refusal afterwards does not store it again.
      created.value = [...created.value, webhook];
      target.value = webhook.id;
    }
    const settings = { ...condition, pauseMinutes: Number(pause.value), webhookId };
    await (alert
      ? owner.alerts.updateAlert({ alertId: alert.id, ...settings })
      : owner.alerts.createAlert({ projectId, ...settings }));
    say(alert ? 'Saved the alert.' : 'Added the alert. It is checked once a minute.');
    onSaved();
  };
  const current = now.value?.value;
  const isMet =
    current !== undefined && alertStateFor({ threshold: null, ...condition }, current) === 'firing';
  return (
    <Form
      fields={['threshold', ...WEBHOOK_FIELDS]}
      submit={alert ? 'Save' : 'Add alert'}
      onCancel={onCancel}
      onSubmit={save}
    >
      <div class="chips alert-words">
        {!isAbsent && (
          <Bound to={aggregate} name="aggregate" label="When the" options={AGGREGATES} />
        )}
        <Bound
          to={path}
          name="path"
          label={isAbsent ? 'When' : 'of'}
          options={[...new Set(known)].map((keys) => [
            keys,
            formatPath(JSON.parse(keys) as string[]),
          ])}
        />
        <Bound to={comparison} name="comparison" label="value" options={COMPARISONS} />
        {!isAbsent && <Bound to={threshold} type="number" name="threshold" label="threshold" />}
        <Bound
          to={minutes}
          name="minutes"
          label="in"
          options={[...new Set([...MINUTES, Number(minutes.value)])].map((length) => [
            String(length),
            formatTimeWindow(length),
          ])}
        />
      </div>
      <div class="alert-preview">
        <span class={isMet ? 'tile warn' : 'tile good'}>
          <Icon lines={LINES.bell} />
        </span>
        <div class="grow">
          <p class="strong">
            {describeCondition({ ...condition, threshold: condition.threshold ?? null })}
          </p>
          <p class="hint" role="status">
            {now.failure ??
              (current === undefined
                ? 'Reading the value…'
                : isAbsent
                  ? `${formatAlertValue(current)} arrived in ${formatTimeWindow(condition.minutes)}.`
                  : `Now: ${formatAlertValue(current)}`)}
          </p>
        </div>
        {isMet && <span class="pill warn">Fires now</span>}
      </div>
      {options.length > 0 ? (
        <Bound to={target} name="webhookId" label="Send a message to" options={options} />
      ) : (
        <p class="note">Confirm a forwarding address first, so that alerts can be mailed to it.</p>
      )}
      {target.value === NEW && <WebhookFields name={name} url={url} />}
      <Bound to={pause} name="pauseMinutes" label="Limit messages to" options={PAUSES} />
    </Form>
  );
}

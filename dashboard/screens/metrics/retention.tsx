import { useSignal } from '@preact/signals';
import { APIError } from '#client/errors.ts';
import { DAY_MS } from '#contract/shared/durations.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import { owner } from '#dashboard/api/api.ts';
import { AsyncContent } from '#dashboard/components/async-content.tsx';
import { confirm } from '#dashboard/components/confirm.tsx';
import { BoundField } from '#dashboard/components/field.tsx';
import { Form } from '#dashboard/components/form.tsx';
import { showMessage, withErrorMessage } from '#dashboard/components/messages.tsx';
import { useAsync } from '#dashboard/components/use-async.ts';
import { t } from '#dashboard/translate.ts';

export function RetentionCard({
  projectId,
  range,
  onDeleted,
}: {
  projectId: string;
  range: { since: string; until: string };
  onDeleted: () => void;
}) {
  const retention = useAsync(() => owner.metrics.getMetricRetention({ project_id: projectId }));
  const input = { project_id: projectId, since: range.since, until: range.until };
  const remove = async () => {
    const isConfirmed = await confirm({
      title: t('Delete the metrics in this range?'),
      text: t(
        'All metrics from {since} to {until} will be deleted. Filters do not apply. You cannot undo this.',
        {
          since: new Date(range.since).toLocaleString(t.locale),
          until: new Date(range.until).toLocaleString(t.locale),
        },
      ),
      action: t('Delete'),
    });
    if (!isConfirmed || !(await withErrorMessage(owner.metrics.deleteMetrics(input)))) return;
    showMessage(t('The metrics are being deleted.'));
    onDeleted();
  };
  return (
    <section class="card">
      <h2>{t('Retention')}</h2>
      <AsyncContent state={retention}>
        {({ days }) => (
          <RetentionForm projectId={projectId} days={days} onSaved={retention.reload} />
        )}
      </AsyncContent>
      <button type="button" class="danger" onClick={() => void remove()}>
        {t('Delete the metrics in this range')}
      </button>
    </section>
  );
}

function RetentionForm({
  projectId,
  days: storedDays,
  onSaved,
}: {
  projectId: string;
  days: number;
  onSaved: () => void;
}) {
  const choice = useSignal(storedDays === 0 ? 'forever' : 'days');
  const input = useSignal(String(storedDays || 90));
  const isForever = choice.value === 'forever';
  const days = isForever ? 0 : Number(input.value);
  const isValid = isForever || (Number.isInteger(days) && days > 0 && days <= LIMITS.queryDays);
  const save = async () => {
    const deletes = !isForever && (storedDays === 0 || days < storedDays);
    if (deletes && !(await confirmDeletion(projectId, days))) return;
    await owner.metrics.updateMetricRetention({ project_id: projectId, days });
    onSaved();
    showMessage(
      isForever
        ? t('Metrics are kept forever.')
        : t('Metrics are kept for {days, plural, one {# day} other {# days}}.', { days }),
    );
  };
  return (
    <Form
      fields={['days']}
      isPrimary={false}
      isDisabled={!isValid}
      submitLabel={t('Save')}
      onSubmit={save}
    >
      <BoundField
        signal={choice}
        name="kept"
        label={t('Keep metrics')}
        options={[
          ['forever', t('Forever')],
          ['days', t('For a number of days')],
        ]}
      />
      {!isForever && (
        <BoundField
          signal={input}
          type="number"
          name="days"
          label={t('Days to keep metrics')}
          hint={t('Older metrics are deleted now, then daily.')}
          error={
            isValid
              ? undefined
              : t('Enter a whole number from 1 to {max, number}.', { max: LIMITS.queryDays })
          }
        />
      )}
    </Form>
  );
}

/** Resolves to true if the user agrees to delete the older metrics, or if there are none. */
async function confirmDeletion(project_id: string, days: number): Promise<boolean> {
  const end = new Date().setUTCHours(0, 0, 0, 0) - days * DAY_MS;
  const count = await countMetricsBefore(project_id, end);
  if (count === 0) return true;
  const date = new Date(end).toLocaleDateString(t.locale);
  return confirm({
    title: t('Delete older metrics?'),
    text:
      count === undefined
        ? t('All metrics from before {date} will be deleted. You cannot undo this.', { date })
        : t(
            '{count, plural, one {# metric} other {# metrics}} from before {date} will be deleted. You cannot undo this.',
            { count, date },
          ),
    action: t('Delete'),
  });
}

/** Undefined if there are too many to count in time. */
async function countMetricsBefore(project_id: string, end: number): Promise<number | undefined> {
  try {
    const { rows } = await owner.metrics.queryMetrics({
      project_id,
      since: new Date(end - LIMITS.queryDays * DAY_MS).toISOString(),
      until: new Date(end).toISOString(),
    });
    return rows;
  } catch (error) {
    if (error instanceof APIError && error.code === 'queryTooExpensive') return undefined;
    throw error;
  }
}

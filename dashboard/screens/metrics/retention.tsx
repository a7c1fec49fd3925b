import { useSignal } from '@preact/signals';
import { owner } from '#dashboard/api/api.ts';
import { confirm } from '#dashboard/components/confirm.tsx';
import { BoundField } from '#dashboard/components/field.tsx';
import { Form } from '#dashboard/components/form.tsx';
import { showMessage, withErrorMessage } from '#dashboard/components/messages.tsx';
import { AsyncContent } from '#dashboard/components/async-content.tsx';
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
  const retention = useAsync(() => owner.metrics.getRetention({ project_id: projectId }));
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
        {({ days }) => <RetentionForm projectId={projectId} days={days} />}
      </AsyncContent>
      <div class="danger-zone">
        <button type="button" class="quiet danger" onClick={() => void remove()}>
          {t('Delete the metrics in this range')}
        </button>
      </div>
    </section>
  );
}

function RetentionForm({ projectId, days: storedDays }: { projectId: string; days: number }) {
  const days = useSignal(String(storedDays));
  const input = { project_id: projectId, days: Number(days.value) };
  return (
    <Form
      fields={['days']}
      isPrimary={false}
      submitLabel={t('Save')}
      onSubmit={async () => {
        const updated = await owner.metrics.updateRetention(input);
        showMessage(
          updated.days === 0
            ? t('Metrics are kept forever.')
            : t('Metrics are kept for {days, plural, one {# day} other {# days}}.', updated),
        );
      }}
    >
      <BoundField
        signal={days}
        type="number"
        name="days"
        label={t('Days to keep metrics')}
        hint={t('0 keeps them forever. Older metrics are deleted now, then daily.')}
      />
    </Form>
  );
}

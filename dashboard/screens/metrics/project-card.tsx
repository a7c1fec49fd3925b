import { useSignal } from '@preact/signals';
import { owner } from '#dashboard/api/api.ts';
import { confirm } from '#dashboard/components/confirm.tsx';
import { BoundField } from '#dashboard/components/field.tsx';
import { Form } from '#dashboard/components/form.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { Menu } from '#dashboard/components/menu.tsx';
import { showMessage, withErrorMessage } from '#dashboard/components/messages.tsx';
import { dashboardHref } from '#dashboard/router.ts';
import { t } from '#dashboard/translate.ts';
import { Chart } from './chart.tsx';
import { FirstMetric } from './first-metric.tsx';
import type { Project } from './metrics-query.ts';
import { ProjectSummary, type Summary } from './project-summary.tsx';
import { chartLines, timeFormatter } from './query-results.tsx';

export function ProjectCard({
  project,
  isOnly,
  onChange,
}: {
  project: Project;
  /** The only card is as wide as the screen, so its chart has axes. */
  isOnly: boolean;
  onChange: () => void;
}) {
  const isRenaming = useSignal(false);
  return (
    <section class="card project-card">
      <div class="card-head">
        <h2 class="clamped">
          <a href={dashboardHref(`metrics/${project.id}`)}>{project.name}</a>
        </h2>
        <ProjectMenu
          project={project}
          onChange={onChange}
          onRename={() => (isRenaming.value = !isRenaming.value)}
        />
      </div>
      {isRenaming.value && (
        <RenameForm
          project={project}
          onCancel={() => (isRenaming.value = false)}
          onDone={() => {
            isRenaming.value = false;
            onChange();
          }}
        />
      )}
      <ProjectSummary
        projectId={project.id}
        renderTrend={isOnly ? SummaryChart : undefined}
        renderEmpty={
          isOnly
            ? (onArrived) => <FirstMetric project={project} onArrived={onArrived} />
            : undefined
        }
      />
    </section>
  );
}

function SummaryChart({ result, query, today }: Summary) {
  return (
    <Chart
      times={[...result.times, query.until]}
      end={query.until}
      lines={chartLines(result, query).map((line) => ({
        ...line,
        values: [...line.values, today],
      }))}
      formatTime={timeFormatter(result.bucket)}
      isLastPartial
    />
  );
}

function ProjectMenu({
  project: { id, name },
  onChange,
  onRename,
}: {
  project: Project;
  onChange: () => void;
  onRename: () => void;
}) {
  const remove = async () => {
    const isConfirmed = await confirm({
      title: t('Delete {name}?', { name }),
      text: t(
        'This also deletes its metrics, and the keys that are only for this project. You cannot undo this.',
      ),
      action: t('Delete'),
    });
    if (!isConfirmed || !(await withErrorMessage(owner.projects.deleteProject({ project_id: id }))))
      return;
    showMessage(t('Deleted {name}.', { name }));
    onChange();
  };
  return (
    <Menu
      label={t('More for {name}', { name })}
      items={() => [
        { label: t('Rename'), iconPath: ICON_PATHS.edit, run: onRename },
        { label: t('Delete'), iconPath: ICON_PATHS.close, isDangerous: true, run: remove },
      ]}
    />
  );
}

function RenameForm({
  project,
  onCancel,
  onDone,
}: {
  project: Project;
  onCancel: () => void;
  onDone: () => void;
}) {
  const name = useSignal(project.name);
  return (
    <Form
      fields={['name']}
      submitLabel={t('Save name')}
      onCancel={onCancel}
      onSubmit={async () => {
        await owner.projects.updateProject({ project_id: project.id, name: name.value });
        onDone();
      }}
    >
      <BoundField signal={name} name="name" label={t('New name')} maxLength={200} />
    </Form>
  );
}

import { useSignal } from '@preact/signals';
import { owner } from '#dashboard/api/api.ts';
import { Empty } from '#dashboard/components/async-content.tsx';
import { showDialog } from '#dashboard/components/dialog.tsx';
import { BoundField } from '#dashboard/components/field.tsx';
import { Form } from '#dashboard/components/form.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { Icon } from '#dashboard/components/icon.tsx';
import { showMessage } from '#dashboard/components/messages.tsx';
import { navigate } from '#dashboard/router.ts';
import { t } from '#dashboard/translate.ts';
import type { Project } from './metrics-query.ts';
import { ProjectCard } from './project-card.tsx';

export function ProjectList({
  projects,
  onChange,
}: {
  projects: readonly Project[];
  onChange: () => void;
}) {
  if (projects.length === 0)
    return (
      <section class="card no-projects">
        <Empty icon={ICON_PATHS.chart} title={t('No projects yet')}>
          <p class="muted">
            {t(
              'A project collects the metrics of one thing: a shop, a game, a sensor. Send it JSON and see its numbers as charts.',
            )}
          </p>
          <CreateProject onCreated={onChange} />
        </Empty>
      </section>
    );
  return (
    <div class="pair">
      {projects.map((project) => (
        <ProjectCard
          key={project.id}
          project={project}
          isOnly={projects.length === 1}
          onChange={onChange}
        />
      ))}
    </div>
  );
}

export function NewProjectButton({ onCreated }: { onCreated: () => void }) {
  const create = () =>
    void showDialog(t('New project'), (close) => (
      <CreateProject
        onCancel={close}
        onCreated={() => {
          close();
          onCreated();
        }}
      />
    ));
  return (
    <button type="button" class="primary" onClick={create}>
      <Icon path={ICON_PATHS.plus} />
      {t('New project')}
    </button>
  );
}

function CreateProject({ onCancel, onCreated }: { onCancel?: () => void; onCreated: () => void }) {
  const name = useSignal('');
  const input = { name: name.value };
  return (
    <Form
      fields={['name']}
      submitLabel={t('Create project')}
      onCancel={onCancel}
      onSubmit={async () => {
        const { project } = await owner.projects.createProject(input);
        showMessage(t('Created {name}.', { name: project.name }), {
          label: t('Send a first metric'),
          run: () => navigate(`metrics/${project.id}`),
        });
        name.value = '';
        onCreated();
      }}
    >
      <BoundField
        signal={name}
        name="name"
        label={t('Name')}
        placeholder={t('Shop')}
        maxLength={200}
      />
    </Form>
  );
}

import { useSignal } from '@preact/signals';
import { type Answer, type api, owner } from '#dashboard/api/api.ts';
import { ApiCall } from '#dashboard/parts/api-call.tsx';
import { Bound } from '#dashboard/parts/field.tsx';
import { Form } from '#dashboard/parts/form.tsx';
import { confirm } from '#dashboard/parts/confirm.tsx';
import { Icon } from '#dashboard/parts/icon.tsx';
import { LINES } from '#dashboard/parts/icon-lines.ts';
import { say, showing } from '#dashboard/parts/messages.tsx';
import { Popover } from '#dashboard/parts/popover.tsx';
import { addressOf } from '#dashboard/router.ts';
import { Activity } from './activity.tsx';

export type Project = Answer<typeof api.stats.getProjects>['projects'][number];

export function ProjectCard({ project, onChange }: { project: Project; onChange: () => void }) {
  const isRenaming = useSignal(false);
  return (
    <section class="card project-card">
      <div class="card-head">
        <h2>
          <a href={addressOf(`metrics/${project.id}`)}>{project.name}</a>
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
      <Activity projectId={project.id} />
      <ApiCall
        endpoint="projects.renameProject"
        input={{ projectId: project.id, name: 'New name' }}
        also={[['projects.deleteProject', { projectId: project.id }]]}
      />
    </section>
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
    const isSure = await confirm({
      title: `Delete ${name}?`,
      text: 'This also deletes its metrics. You cannot undo this.',
      action: 'Delete',
    });
    if (!isSure || !(await showing(owner.projects.deleteProject({ projectId: id })))) return;
    say(`Deleted ${name}.`);
    onChange();
  };
  const copy = () =>
    navigator.clipboard.writeText(id).then(
      () => say('Copied the project ID.'),
      () => say(`The project ID is ${id}.`),
    );
  const commands = [
    ['Copy project ID', LINES.copy, copy],
    ['Rename', LINES.edit, onRename],
    ['Delete', LINES.close, remove],
  ] as const;
  return (
    <Popover
      buttonClass="icon-button"
      button={
        <>
          <Icon lines={LINES.dots} />
          <span class="unseen">More for {name}</span>
        </>
      }
      label={name}
      class="metric-menu sheet"
    >
      {(close) =>
        commands.map(([label, lines, run]) => (
          <button
            key={label}
            type="button"
            class={label === 'Delete' ? 'menu-item danger' : 'menu-item'}
            onClick={() => {
              close();
              void run();
            }}
          >
            <Icon lines={lines} />
            {label}
          </button>
        ))
      }
    </Popover>
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
      submit="Save name"
      onCancel={onCancel}
      onSubmit={async () => {
        await owner.projects.renameProject({ projectId: project.id, name: name.value });
        onDone();
      }}
    >
      <Bound to={name} name="name" label="New name" maxLength={200} />
    </Form>
  );
}

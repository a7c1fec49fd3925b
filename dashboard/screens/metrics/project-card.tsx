import { useSignal } from '@preact/signals';
import { type Answer, type api, owner } from '../../api/api.ts';
import { ApiCall } from '../../parts/api-call.tsx';
import { Bound } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { confirm } from '../../parts/confirm.tsx';
import { Copy } from '../../parts/copy.tsx';
import { say, showing } from '../../parts/messages.tsx';
import { addressOf } from '../../router.ts';
import { Activity } from './activity.tsx';

/** A project that metrics can be sent to. */
export type Project = Answer<typeof api.stats.getProjects>['projects'][number];

/** A project: how many metrics came lately, when the last one did, and what can be done with it. */
export function ProjectCard({ project, onChange }: { project: Project; onChange: () => void }) {
  const isRenaming = useSignal(false);
  const remove = async () => {
    const isSure = await confirm({
      title: `Delete ${project.name}?`,
      text: 'Its metrics are deleted with it. You cannot undo this.',
      action: 'Delete',
    });
    if (!isSure || !(await showing(owner.projects.deleteProject({ projectId: project.id }))))
      return;
    say(`Deleted ${project.name}.`);
    onChange();
  };
  return (
    <section class="card project-card">
      <h2>
        <a href={addressOf(`metrics/${project.id}`)}>{project.name}</a>
      </h2>
      <Activity projectId={project.id} />
      <div class="code">
        <code>{project.id}</code>
        <Copy text={project.id} label="Copy id" isIcon />
      </div>
      {isRenaming.value && (
        <Rename
          project={project}
          onDone={() => {
            isRenaming.value = false;
            onChange();
          }}
        />
      )}
      <div class="actions">
        <button type="button" class="quiet" onClick={() => (isRenaming.value = !isRenaming.value)}>
          {isRenaming.value ? 'Cancel' : 'Rename'}
        </button>
        <button type="button" class="quiet danger" onClick={() => void remove()}>
          Delete
        </button>
      </div>
      <ApiCall
        endpoint="projects.renameProject"
        input={{ projectId: project.id, name: 'New name' }}
        also={[['projects.deleteProject', { projectId: project.id }]]}
      />
    </section>
  );
}

function Rename({ project, onDone }: { project: Project; onDone: () => void }) {
  const name = useSignal(project.name);
  return (
    <Form
      fields={['name']}
      submit="Save name"
      onSubmit={async () => {
        await owner.projects.renameProject({ projectId: project.id, name: name.value });
        onDone();
      }}
    >
      <Bound to={name} name="name" label="New name" maxLength={200} />
    </Form>
  );
}

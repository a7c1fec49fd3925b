import { useSignal } from '@preact/signals';
import { owner } from '../../api/api.ts';
import { ApiCall } from '../../parts/api-call.tsx';
import { Bound } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { confirm } from '../../parts/confirm.tsx';
import { Copy } from '../../parts/copy.tsx';
import { say, showing } from '../../parts/messages.tsx';
import { Sparkline } from '../../parts/sparkline.tsx';
import { Show } from '../../parts/states.tsx';
import { Ago } from '../../parts/time.tsx';
import { useLoaded } from '../../parts/use-loaded.ts';
import { addressOf } from '../../router.ts';
import type { Project } from './projects.tsx';
import { rangeOf } from './question.ts';

const number = new Intl.NumberFormat();

/** A project: how many metrics came lately, when the last one did, and what can be done with it. */
export function ProjectCard({ project, onChange }: { project: Project; onChange: () => void }) {
  const isRenaming = useSignal(false);
  const to = addressOf(`metrics/${project.id}`);
  const activity = useLoaded(() => activityOf(project.id));
  const remove = async () => {
    const isSure = await confirm({
      title: `Delete ${project.name}?`,
      text: 'Its metrics are deleted with it, for good.',
      action: 'Delete',
    });
    if (!isSure || !(await showing(owner.projects.deleteProject({ projectId: project.id }))))
      return;
    say(`${project.name} is deleted.`);
    onChange();
  };
  return (
    <section class="card">
      <h2>
        <a href={to}>{project.name}</a>
      </h2>
      <Show loaded={activity}>
        {({ count, values, latest }) =>
          latest === undefined ? (
            <p class="muted">
              Nothing was sent yet. <a href={to}>Send a first metric</a>
            </p>
          ) : (
            <>
              <p class="figure">
                <strong>{number.format(count)}</strong>{' '}
                <span class="muted">
                  {count === 1 ? 'metric' : 'metrics'} in 30 days, the last one{' '}
                  <Ago time={latest} />
                </span>
              </p>
              <Sparkline values={values} />
            </>
          )
        }
      </Show>
      <div class="row">
        <code>{project.id}</code>
        <Copy text={project.id} label="Copy id" />
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
        <button type="button" class="small" onClick={() => (isRenaming.value = !isRenaming.value)}>
          {isRenaming.value ? 'Cancel' : 'Rename'}
        </button>
        <button type="button" class="small danger" onClick={() => void remove()}>
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

async function activityOf(projectId: string) {
  const [{ totals, series }, { metrics }] = await Promise.all([
    owner.metrics.queryMetrics({ projectId, ...rangeOf('30d'), bucket: 'day' }),
    owner.metrics.listMetrics({ projectId, limit: 1 }),
  ]);
  return {
    count: totals[0] ?? 0,
    values: series[0]?.values.map((value) => value ?? 0) ?? [],
    latest: metrics[0]?.received_at,
  };
}

import { useSignal } from '@preact/signals';
import { owner } from '../../api/api.ts';
import { ApiCall } from '../../parts/api-call.tsx';
import { Bound } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { say } from '../../parts/messages.tsx';
import { Empty } from '../../parts/states.tsx';
import { type Project, ProjectCard } from './project-card.tsx';

/** Every project with how it went lately, and a form for another. */
export function Projects({
  projects,
  onChange,
}: {
  projects: readonly Project[];
  onChange: () => void;
}) {
  return (
    <>
      {projects.length === 0 ? (
        <Empty title="No projects yet">
          <p class="muted">A project collects metrics: of a shop, a game, a sensor.</p>
        </Empty>
      ) : (
        <div class="pair">
          {projects.map((project) => (
            <ProjectCard key={project.id} project={project} onChange={onChange} />
          ))}
        </div>
      )}
      <section class="card">
        <h2>Create a project</h2>
        <NewProject onMade={onChange} />
      </section>
    </>
  );
}

function NewProject({ onMade }: { onMade: () => void }) {
  const name = useSignal('');
  const input = { name: name.value };
  return (
    <>
      <Form
        fields={['name']}
        submit="Create project"
        onSubmit={async () => {
          const { project } = await owner.projects.createProject(input);
          say(`Created ${project.name}.`);
          name.value = '';
          onMade();
        }}
      >
        <Bound to={name} name="name" label="Name" placeholder="Shop" maxLength={200} />
      </Form>
      <ApiCall endpoint="projects.createProject" input={input} also={[['stats.getProjects']]} />
    </>
  );
}

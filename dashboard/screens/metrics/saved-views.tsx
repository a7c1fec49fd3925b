import { useSignal } from '@preact/signals';
import { LIMITS } from '#contract/limits.ts';
import { NameplateError } from '../../../client/src/errors.ts';
import { type Answer, owner } from '#dashboard/api/api.ts';
import { ApiCall } from '#dashboard/parts/api-call.tsx';
import { Bound } from '#dashboard/parts/field.tsx';
import { Form } from '#dashboard/parts/form.tsx';
import { Icon } from '#dashboard/parts/icon.tsx';
import { LINES } from '#dashboard/parts/icon-lines.ts';
import { say, showing } from '#dashboard/parts/messages.tsx';
import { Popover } from '#dashboard/parts/popover.tsx';
import { Loading } from '#dashboard/parts/states.tsx';
import type { Loaded } from '#dashboard/parts/use-loaded.ts';
import { addressOf, query } from '#dashboard/router.ts';

type View = Answer<typeof owner.metrics.getSavedViews>['views'][number];

interface ViewsProps {
  projectId: string;
  saved: Loaded<{ views: View[] }>;
}

const BOOKMARK_ICON = 'M4 2.5h8v11L8 11l-4 2.5z';

/** Loads the stored views first, because another window may have changed them. */
async function updateViews(projectId: string, update: (views: View[]) => View[]): Promise<void> {
  const { views } = await owner.metrics.getSavedViews({ projectId });
  const changed = update(views);
  if (new Set(changed.map(({ name }) => name)).size < changed.length)
    throw new NameplateError('A view with this name already exists.');
  if (changed.length > LIMITS.views)
    throw new NameplateError(`A project can have at most ${LIMITS.views} views.`);
  await owner.metrics.updateSavedViews({ projectId, views: changed });
}

/** Saves the query in the URL. Renders nothing if it is already saved. */
export function SaveView({ projectId, saved }: ViewsProps) {
  const views = saved.value?.views ?? [];
  if (views.some(isCurrent)) return null;
  return (
    <Popover
      buttonClass="primary"
      button={
        <>
          <Icon lines={BOOKMARK_ICON} />
          Save view
        </>
      }
      label="Save view"
      class="metric-menu form sheet"
    >
      {(close) => (
        <NameForm
          name=""
          submit="Save"
          onName={async (name) => {
            const view = { name, query: query.peek().toString() };
            await updateViews(projectId, (list) => [...list, view]);
            saved.reload();
            close();
          }}
        />
      )}
    </Popover>
  );
}

/** Links to the saved views of a project, with a menu for the current one. */
export function SavedViews({ projectId, saved }: ViewsProps) {
  if (!saved.value && !saved.failure) return <Loading />;
  const views = saved.value?.views ?? [];
  const current = views.find(isCurrent);
  return (
    <>
      {views.length > 0 && (
        <div class="views" role="group" aria-label="Saved views">
          {views.map((view) => (
            <a
              key={view.name}
              class="chip"
              href={`${addressOf(`metrics/${projectId}`)}?${view.query}`}
              aria-current={view === current ? 'true' : undefined}
            >
              {view.name}
            </a>
          ))}
          {current && <ViewMenu projectId={projectId} saved={saved} view={current} />}
        </div>
      )}
      <ApiCall
        endpoint="metrics.getSavedViews"
        input={{ projectId }}
        also={[
          [
            'metrics.updateSavedViews',
            { projectId, views: [...views, ...(current ? [] : [newView()])] },
          ],
        ]}
      />
    </>
  );
}

const newView = (): View => ({ name: 'New view', query: query.value.toString() });

function isCurrent(view: View): boolean {
  return new URLSearchParams(view.query).toString() === query.value.toString();
}

function ViewMenu({ projectId, saved, view }: ViewsProps & { view: View }) {
  return (
    <Popover
      buttonClass="icon-button"
      button={
        <>
          <Icon lines={LINES.dots} />
          <span class="unseen">Edit view {view.name}</span>
        </>
      }
      label={view.name}
      class="metric-menu form sheet"
    >
      {(close) => (
        <>
          <NameForm
            name={view.name}
            submit="Rename"
            onName={async (name) => {
              await updateViews(projectId, (list) =>
                list.map((item) => (item.name === view.name ? { ...item, name } : item)),
              );
              saved.reload();
              close();
            }}
          />
          <button
            type="button"
            class="menu-item danger"
            onClick={() => {
              const withoutView = (list: View[]) => list.filter(({ name }) => name !== view.name);
              void showing(updateViews(projectId, withoutView).then(() => true)).then((isDone) => {
                if (!isDone) return;
                say(`Deleted the view ${view.name}.`);
                saved.reload();
              });
              close();
            }}
          >
            Delete view
          </button>
        </>
      )}
    </Popover>
  );
}

function NameForm({
  name: initialName,
  submit,
  onName,
}: {
  name: string;
  submit: string;
  onName: (name: string) => Promise<void>;
}) {
  const name = useSignal(initialName);
  return (
    <Form fields={['views']} submit={submit} onSubmit={() => onName(name.value.trim())}>
      <Bound
        to={name}
        name="views"
        label="View name"
        placeholder="Orders by country"
        autocomplete="off"
        maxLength={LIMITS.viewName}
        required
      />
    </Form>
  );
}

import { useSignal } from '@preact/signals';
import { LIMITS } from '#contract/limits.ts';
import { NameplateError } from '../../../client/src/errors.ts';
import { type ResponseOf, owner } from '#dashboard/api/api.ts';
import { BoundField } from '#dashboard/components/field.tsx';
import { Form } from '#dashboard/components/form.tsx';
import { Icon } from '#dashboard/components/icon.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { showMessage, withErrorMessage } from '#dashboard/components/messages.tsx';
import { Popover } from '#dashboard/components/popover.tsx';
import { Loading } from '#dashboard/components/async-content.tsx';
import type { AsyncState } from '#dashboard/components/use-async.ts';
import { dashboardHref, query } from '#dashboard/router.ts';
import { t } from '#dashboard/translate.ts';

type View = ResponseOf<typeof owner.metrics.getSavedViews>['views'][number];

interface ViewsProps {
  projectId: string;
  savedViews: AsyncState<{ views: View[] }>;
}

const BOOKMARK_ICON = 'M4 2.5h8v11L8 11l-4 2.5z';

/** Another window may have changed the views, so load them first. */
async function updateViews(projectId: string, update: (views: View[]) => View[]): Promise<void> {
  const { views } = await owner.metrics.getSavedViews({ project_id: projectId });
  const changedViews = update(views);
  if (new Set(changedViews.map(({ name }) => name)).size < changedViews.length)
    throw new NameplateError(t('A view with this name already exists.'));
  if (changedViews.length > LIMITS.savedViews)
    throw new NameplateError(
      t('A project can have at most {max} views.', { max: LIMITS.savedViews }),
    );
  await owner.metrics.updateSavedViews({ project_id: projectId, views: changedViews });
}

/** Saves the current query as a view. Renders nothing if it is already saved. */
export function SaveView({ projectId, savedViews }: ViewsProps) {
  const views = savedViews.value?.views ?? [];
  if (views.some(isCurrent)) return null;
  return (
    <Popover
      buttonClass="primary"
      button={
        <>
          <Icon path={BOOKMARK_ICON} />
          {t('Save view')}
        </>
      }
      label={t('Save view')}
      class="form"
    >
      {(close) => (
        <NameForm
          name=""
          submitLabel={t('Save')}
          onSubmitName={async (name) => {
            const view = { name, query: query.peek().toString() };
            await updateViews(projectId, (list) => [...list, view]);
            savedViews.reload();
            close();
          }}
        />
      )}
    </Popover>
  );
}

export function SavedViews({ projectId, savedViews }: ViewsProps) {
  if (!savedViews.value && !savedViews.failure) return <Loading />;
  const views = savedViews.value?.views ?? [];
  const current = views.find(isCurrent);
  return (
    <>
      {views.length > 0 && (
        <div class="views" role="group" aria-label={t('Saved views')}>
          {views.map((view) => (
            <a
              key={view.name}
              class="chip"
              href={`${dashboardHref(`metrics/${projectId}`)}?${view.query}`}
              aria-current={view === current ? 'true' : undefined}
            >
              {view.name}
            </a>
          ))}
          {current && <ViewMenu projectId={projectId} savedViews={savedViews} view={current} />}
        </div>
      )}
    </>
  );
}

function isCurrent(view: View): boolean {
  return new URLSearchParams(view.query).toString() === query.value.toString();
}

function ViewMenu({ projectId, savedViews, view }: ViewsProps & { view: View }) {
  return (
    <Popover
      buttonClass="icon-button"
      button={
        <>
          <Icon path={ICON_PATHS.dots} />
          <span class="visually-hidden">{t('Edit view {name}', { name: view.name })}</span>
        </>
      }
      label={view.name}
      class="form toward-end"
    >
      {(close) => (
        <>
          <NameForm
            name={view.name}
            submitLabel={t('Rename')}
            onSubmitName={async (name) => {
              await updateViews(projectId, (list) =>
                list.map((item) => (item.name === view.name ? { ...item, name } : item)),
              );
              savedViews.reload();
              close();
            }}
          />
          <button
            type="button"
            class="menu-item danger"
            onClick={() => {
              const withoutView = (list: View[]) => list.filter(({ name }) => name !== view.name);
              void withErrorMessage(updateViews(projectId, withoutView).then(() => true)).then(
                (isDeleted) => {
                  if (!isDeleted) return;
                  showMessage(t('Deleted the view {name}.', { name: view.name }));
                  savedViews.reload();
                },
              );
              close();
            }}
          >
            {t('Delete view')}
          </button>
        </>
      )}
    </Popover>
  );
}

function NameForm({
  name: initialName,
  submitLabel,
  onSubmitName,
}: {
  name: string;
  submitLabel: string;
  onSubmitName: (name: string) => Promise<void>;
}) {
  const name = useSignal(initialName);
  return (
    <Form
      fields={['views']}
      submitLabel={submitLabel}
      onSubmit={() => onSubmitName(name.value.trim())}
    >
      <BoundField
        signal={name}
        name="views"
        label={t('View name')}
        placeholder={t('Orders by country')}
        autocomplete="off"
        maxLength={LIMITS.savedViewName}
        required
      />
    </Form>
  );
}

import { useSignal } from '@preact/signals';
import { type ResponseOf, owner } from '#dashboard/api/api.ts';
import { Empty, AsyncContent } from '#dashboard/components/async-content.tsx';
import { Dialog } from '#dashboard/components/dialog.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { Icon } from '#dashboard/components/icon.tsx';
import { developerParent, ScreenHeader } from '#dashboard/components/screen-header.tsx';
import { ShownOnce } from '#dashboard/components/shown-once.tsx';
import { type AsyncState, useAsync } from '#dashboard/components/use-async.ts';
import { dashboardHref, navigate, query } from '#dashboard/router.ts';
import { t } from '#dashboard/translate.ts';
import { activityPath } from '../activity/path.ts';
import { ConnectAiClient } from './connect-ai-client.tsx';
import { CreateKeyForm, type CreatedKey, type Project } from './create-key-form.tsx';
import { KeyTable } from './key-table.tsx';

export function Keys() {
  const keys = useAsync(() => owner.keys.listKeys());
  const { value: { projects = [] } = {} } = useAsync(() => owner.projects.listProjects());
  const createdKey = useSignal<CreatedKey>();
  const isCreating = query.value.has('create');
  const create = () => navigate('keys?create', { replace: true });
  const close = () => navigate('keys', { replace: true });
  return (
    <>
      <ScreenHeader
        title={t('Keys')}
        parent={developerParent()}
        subtitle={t('For scripts, servers and AI clients that use the API.')}
      >
        <a class="button" href={dashboardHref(activityPath('requests'))}>
          {t('Requests')}
        </a>
        <button type="button" class={createdKey.value ? undefined : 'primary'} onClick={create}>
          <Icon path={ICON_PATHS.plus} />
          {t('Create key')}
        </button>
      </ScreenHeader>
      {isCreating && (
        <Dialog title={t('Create key')} onCancel={close}>
          <CreateKeyForm
            projects={projects}
            initialScope={query.value.get('create') === 'all' ? 'all' : 'metrics'}
            onCancel={close}
            onCreated={(key) => {
              close();
              createdKey.value = key;
              keys.reload();
            }}
          />
        </Dialog>
      )}
      {createdKey.value && (
        <ShownOnce
          title={
            createdKey.value.label
              ? t('{name} is ready', { name: createdKey.value.label })
              : t('Your key is ready')
          }
          secret={createdKey.value.secret}
          copyLabel={t('Copy key')}
          onDone={() => (createdKey.value = undefined)}
        />
      )}
      <KeyCards keys={keys} projects={projects} createdKey={createdKey.value} onCreate={create} />
    </>
  );
}

function KeyCards({
  keys,
  projects,
  createdKey,
  onCreate,
}: {
  keys: AsyncState<ResponseOf<typeof owner.keys.listKeys>>;
  projects: readonly Project[];
  createdKey: CreatedKey | undefined;
  onCreate: () => void;
}) {
  return (
    <>
      <section class="card">
        <h2>
          {t('Your keys')}
          {keys.value && <span class="count">{keys.value.keys.length}</span>}
        </h2>
        <AsyncContent state={keys}>
          {({ keys: list }) =>
            list.length === 0 ? (
              <Empty icon={ICON_PATHS.key} title={t('No keys yet')}>
                <p class="muted">{t('A script needs one to send metrics or change your page.')}</p>
                <button type="button" onClick={onCreate}>
                  {t('Create your first key')}
                </button>
              </Empty>
            ) : (
              <KeyTable
                projects={projects}
                keys={withKeyFirst(list, createdKey?.id)}
                newId={createdKey?.id}
                onRevoked={keys.reload}
              />
            )
          }
        </AsyncContent>
      </section>
      <ConnectAiClient secret={createdKey?.secret} />
    </>
  );
}

function withKeyFirst<Key extends { id: string }>(keys: readonly Key[], id: string | undefined) {
  return keys.toSorted((a, b) => Number(b.id === id) - Number(a.id === id));
}

import { useSignal } from '@preact/signals';
import { CONNECTION_KIND_LIST } from '#contract/shared/connection-kinds.ts';
import { AsyncContent, Empty } from '#dashboard/components/async-content.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { Icon } from '#dashboard/components/icon.tsx';
import { ListRow } from '#dashboard/components/list-row.tsx';
import { Menu } from '#dashboard/components/menu.tsx';
import { showMessage } from '#dashboard/components/messages.tsx';
import { developerParent, ScreenHeader } from '#dashboard/components/screen-header.tsx';
import { type AsyncState, useAsync } from '#dashboard/components/use-async.ts';
import { usePolling } from '#dashboard/components/use-polling.ts';
import { visuallyHidden } from '#dashboard/components/visually-hidden.tsx';
import { currentPath, dashboardHref, navigate } from '#dashboard/router.ts';
import { t } from '#dashboard/translate.ts';
import { listActions, loadConnections, sendTest } from './connection-actions.ts';
import { ConnectionDetail } from './connection-detail.tsx';
import { AddConnection, ConnectionForm, type FormProps } from './connection-form.tsx';
import {
  type Connection,
  type ConnectionList,
  describeState,
  withProblemsFirst,
} from './connection-state.ts';
import './connections.css';
import { describeTypes } from './event-groups.ts';
import { KindIcon } from './kind-icon.tsx';
import { KINDS } from './kinds.ts';
import type { NewSecret } from './new-key.tsx';

export function Connections() {
  const [, id, action] = currentPath.value.split('/');
  const state = useAsync(loadConnections);
  const { connections = [] } = state.value ?? {};
  const isSending = connections.some(({ pending }) => pending > 0);
  const isShown = id !== 'add' && action !== 'edit';
  const pace = isSending ? 'waiting' : 'background';
  usePolling(isShown ? pace : undefined, state.poll);
  /** Kept until the owner has saved it or leaves these screens. */
  const newSecret = useSignal<NewSecret>();
  /** Shown before the list is loaded again. */
  const added = useSignal<Connection>();
  const connection = [...connections, added.value].find((other) => other?.id === id);
  if (id === 'add')
    return (
      <AddScreen
        state={state}
        onSaved={(created, secret) => {
          newSecret.value = secret === null ? undefined : { id: created.id, secret };
          added.value = created;
          state.reload();
          navigate(`connections/${created.id}`, { replace: true });
        }}
      />
    );
  if (connection && action === 'edit') return <EditScreen state={state} connection={connection} />;
  if (connection)
    return (
      <ConnectionDetail
        key={id}
        connection={connection}
        newSecret={newSecret}
        onChange={state.reload}
      />
    );
  return (
    <>
      <ScreenHeader
        title={t('Connections')}
        parent={developerParent()}
        subtitle={t(
          'Get notified when something happens: in a chat, on your phone, by email or in your program.',
        )}
      >
        {connections.length > 0 && (
          <a class="button primary" href={dashboardHref('connections/add')}>
            <Icon path={ICON_PATHS.plus} />
            {t('Add connection')}
          </a>
        )}
      </ScreenHeader>
      <AsyncContent state={state}>
        {() => <ConnectionRows connections={connections} onChange={state.reload} />}
      </AsyncContent>
    </>
  );
}

interface ScreenProps {
  state: AsyncState<ConnectionList>;
}

function AddScreen({ state, onSaved }: ScreenProps & Pick<FormProps, 'onSaved'>) {
  return (
    <>
      <ScreenHeader
        title={t('Add connection')}
        parent={{ title: t('Connections'), path: 'connections' }}
      />
      <AsyncContent state={state}>
        {(list) => <AddConnection list={list} onSaved={onSaved} />}
      </AsyncContent>
    </>
  );
}

function EditScreen({ state, connection }: ScreenProps & { connection: Connection }) {
  const { id, kind, name } = connection;
  const parent = { title: name, path: `connections/${id}` };
  const close = () => navigate(parent.path);
  const finish = () => {
    showMessage(t('Saved.'));
    state.reload();
    close();
  };
  return (
    <>
      <ScreenHeader title={t('Edit {name}', { name })} parent={parent} />
      <section class="card">
        <ConnectionForm
          kind={kind}
          connection={connection}
          email={state.value?.email ?? null}
          onSaved={finish}
          onCancel={close}
        />
      </section>
    </>
  );
}

interface RowsProps {
  connections: readonly Connection[];
  onChange: () => void;
}

function ConnectionRows({ connections, onChange }: RowsProps) {
  return (
    <section class="card">
      {connections.length === 0 ? (
        <Empty icon={ICON_PATHS.link} title={t('Where should messages go?')}>
          <div class="connection-kinds">
            {CONNECTION_KIND_LIST.map((kind) => (
              <a
                key={kind}
                class="connection-kind"
                href={dashboardHref(`connections/add?kind=${kind}`)}
              >
                <KindIcon kind={kind} />
                <span class="strong">{KINDS[kind].title}</span>
                <span class="hint">{KINDS[kind].description}</span>
              </a>
            ))}
          </div>
        </Empty>
      ) : (
        <ul class="connection-rows">
          {withProblemsFirst(connections).map((connection) => (
            <ConnectionRow key={connection.id} connection={connection} onChange={onChange} />
          ))}
        </ul>
      )}
    </section>
  );
}

function ConnectionRow({ connection, onChange }: { connection: Connection; onChange: () => void }) {
  const { id, kind, name, event_types } = connection;
  const { tone, text } = describeState(connection);
  const { title } = KINDS[kind];
  const types = describeTypes(event_types) || t('Only alerts sent here');
  return (
    <ListRow
      sign={
        <span class={tone === 'bad' ? 'tile bad' : 'tile'}>
          <KindIcon kind={kind} />
        </span>
      }
      title={<a href={dashboardHref(`connections/${id}`)}>{name}</a>}
      text={
        <p class="clamped" title={types}>
          {[title !== name && title, types].filter(Boolean).join('\u00a0· ')}
        </p>
      }
      end={<p class={`connection-state ${tone}`}>{text}</p>}
      actions={
        <>
          <button
            type="button"
            class="quiet small only-wide"
            onClick={() => void sendTest(connection).finally(onChange)}
          >
            {t.rich('Send a test<hidden> to {name}</hidden>', { name, hidden: visuallyHidden })}
          </button>
          <Menu
            label={t('More for {name}', { name })}
            items={() => listActions(connection, onChange)}
          />
        </>
      }
    />
  );
}

import { useSignal } from '@preact/signals';
import { CONNECTION_KIND_LIST } from '#contract/shared/connection-kinds.ts';
import { AsyncContent } from '#dashboard/components/async-content.tsx';
import { Icon } from '#dashboard/components/icon.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { Menu } from '#dashboard/components/menu.tsx';
import { ScreenHeader } from '#dashboard/components/screen-header.tsx';
import { useAsync } from '#dashboard/components/use-async.ts';
import { usePolling } from '#dashboard/components/use-polling.ts';
import { currentPath, dashboardHref, navigate } from '#dashboard/router.ts';
import { t } from '#dashboard/translate.ts';
import { listActions, loadConnections } from './connection-actions.ts';
import { ConnectionDetail } from './connection-detail.tsx';
import { AddConnection, EditConnection, KindLabel } from './connection-form.tsx';
import { type Connection, describeState, withProblemsFirst } from './connection-state.ts';
import './connections.css';
import { describeTypes } from './event-groups.ts';
import { KINDS } from './kinds.tsx';
import type { NewSecret } from './new-key.tsx';

const POLL_MS = 5_000;
const PARENT = { title: t('Connections'), path: 'connections' };

export function Connections() {
  const [, id, action] = currentPath.value.split('/');
  const state = useAsync(loadConnections);
  const { connections = [] } = state.value ?? {};
  usePolling(
    connections.some(({ pending }) => pending > 0),
    state.reload,
    POLL_MS,
  );
  /** Kept until the owner has saved it or leaves these screens. */
  const newSecret = useSignal<NewSecret>();
  /** Shown before the list is loaded again. */
  const added = useSignal<Connection>();
  const connection = [...connections, added.value].find((other) => other?.id === id);
  if (id === 'add')
    return (
      <>
        <ScreenHeader title={t('Add connection')} parent={PARENT} />
        <AsyncContent state={state}>
          {(list) => (
            <AddConnection
              list={list}
              onAdded={(created, secret) => {
                newSecret.value = secret === null ? undefined : { id: created.id, secret };
                added.value = created;
                state.reload();
                navigate(`connections/${created.id}`, { replace: true });
              }}
            />
          )}
        </AsyncContent>
      </>
    );
  if (connection && action === 'edit') {
    const parent = { title: connection.name, path: `connections/${id}` };
    const close = () => {
      state.reload();
      navigate(parent.path);
    };
    return (
      <>
        <ScreenHeader title={t('Edit {name}', { name: connection.name })} parent={parent} />
        <EditConnection connection={connection} onDone={close} />
      </>
    );
  }
  if (connection)
    return (
      <ConnectionDetail
        key={id}
        connection={connection}
        connections={connections}
        newSecret={newSecret}
        onChange={state.reload}
      />
    );
  return (
    <>
      <ScreenHeader
        title={t('Connections')}
        subtitle={t(
          'Get notified when something happens: in a chat, on your phone, by email or in your program.',
        )}
      >
        <a class="button primary" href={dashboardHref('connections/add')}>
          <Icon path={ICON_PATHS.plus} />
          {t('Add connection')}
        </a>
      </ScreenHeader>
      <AsyncContent state={state}>
        {() => <ConnectionRows connections={connections} onChange={state.reload} />}
      </AsyncContent>
    </>
  );
}

interface RowsProps {
  connections: readonly Connection[];
  onChange: () => void;
}

function ConnectionRows({ connections, onChange }: RowsProps) {
  if (connections.length === 0)
    return (
      <section class="card">
        <h2>{t('Where should messages go?')}</h2>
        <ul class="connection-kinds">
          {CONNECTION_KIND_LIST.map((kind) => (
            <li key={kind}>
              <a class="connection-kind" href={dashboardHref(`connections/add?kind=${kind}`)}>
                <KindLabel kind={kind} />
              </a>
            </li>
          ))}
        </ul>
      </section>
    );
  return (
    <section class="card">
      <ul class="row-list connection-rows">
        {withProblemsFirst(connections).map((connection) => (
          <ConnectionRow key={connection.id} connection={connection} onChange={onChange} />
        ))}
      </ul>
      <p class="hint">{t('What cannot be delivered is tried again for three days.')}</p>
    </section>
  );
}

function ConnectionRow({ connection, onChange }: { connection: Connection; onChange: () => void }) {
  const { id, kind, name } = connection;
  const { tone, text } = describeState(connection);
  const path = dashboardHref(`connections/${id}`);
  return (
    <li>
      <span class={tone === 'bad' ? 'tile bad' : 'tile'}>
        <Icon path={KINDS[kind].iconPath} />
      </span>
      <div>
        <a class="strong" href={path}>
          {name}
        </a>
        <p class="hint">{describeConnection(connection)}</p>
      </div>
      <p class={`connection-state ${tone}`}>{text}</p>
      {tone === 'bad' ? (
        <a class="button" href={path} aria-label={t('Look at {name}', { name })}>
          {t('Look')}
        </a>
      ) : (
        <Menu
          label={t('More for {name}', { name })}
          items={() => listActions(connection, onChange)}
        />
      )}
    </li>
  );
}

function describeConnection({ kind, event_types }: Connection): string {
  return `${KINDS[kind].title} · ${describeTypes(event_types) || t('Only alerts that name it')}`;
}

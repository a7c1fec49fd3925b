import { useSignal } from '@preact/signals';
import { useEffect, useId } from 'preact/hooks';
import { CONNECTION_KIND_LIST } from '#contract/shared/connection-kinds.ts';
import { CARRIED_EVENT_TYPES } from '#contract/shared/event-types.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import { owner } from '#dashboard/api/api.ts';
import { BoundField } from '#dashboard/components/field.tsx';
import { Form } from '#dashboard/components/form.tsx';
import { Icon } from '#dashboard/components/icon.tsx';
import { hasDeveloperTools } from '#dashboard/current-account.ts';
import { navigate, query } from '#dashboard/router.ts';
import { t } from '#dashboard/translate.ts';
import { sendTest } from './connection-actions.ts';
import type { Connection, ConnectionList } from './connection-state.ts';
import { EventChoice } from './event-choice.tsx';
import { switchTypes } from './event-groups.ts';
import {
  ADDRESS_FIELDS,
  AddressFields,
  createConnection,
  findObstacle,
  KINDS,
  useAddressDraft,
} from './kinds.tsx';

export function AddConnection({
  list,
  onAdded,
}: {
  list: ConnectionList;
  onAdded: (connection: Connection, secret: string | null) => void;
}) {
  const kind = CONNECTION_KIND_LIST.find((other) => other === query.value.get('kind')) ?? 'discord';
  const draft = useAddressDraft();
  const { page, metrics } = CARRIED_EVENT_TYPES;
  const types = useSignal<Connection['event_types']>(
    hasDeveloperTools.value === false ? page : [...page, ...metrics],
  );
  useEffect(() => {
    // The contact form mails the message itself to the same address.
    if (kind === 'email')
      types.value = switchTypes(types.value, ['contact_message_received'], false);
  }, [kind, types]);
  const obstacle = findObstacle(kind, list);
  const name = useId();
  const add = async () => {
    const { connection, secret } = await createConnection(kind, draft, types.value);
    await sendTest(connection);
    onAdded(connection, secret);
  };
  return (
    <section class="card">
      <h2>{t('Where to')}</h2>
      <fieldset class="connection-kinds">
        <legend class="visually-hidden">{t('Where to')}</legend>
        {CONNECTION_KIND_LIST.map((option) => (
          <label key={option} class="picture-radio connection-kind">
            <input
              type="radio"
              name={name}
              checked={option === kind}
              onChange={() => navigate(`connections/add?kind=${option}`, { replace: true })}
            />
            <KindLabel kind={option} />
          </label>
        ))}
      </fieldset>
      {obstacle === undefined ? (
        <Form
          fields={ADDRESS_FIELDS}
          submitLabel={t('Add and send a test')}
          onCancel={() => navigate('connections')}
          onSubmit={add}
        >
          <AddressFields kind={kind} draft={draft} />
          <EventChoice types={types} />
        </Form>
      ) : (
        <p class="panel bad">{obstacle}</p>
      )}
    </section>
  );
}

export function KindLabel({ kind }: Pick<Connection, 'kind'>) {
  const { iconPath, title, description } = KINDS[kind];
  return (
    <>
      <Icon path={iconPath} />
      <span class="strong">{title}</span>
      <span class="hint">{description}</span>
    </>
  );
}

export function EditConnection({
  connection,
  onDone,
}: {
  connection: Connection;
  onDone: () => void;
}) {
  const name = useSignal(connection.name);
  const types = useSignal(connection.event_types);
  const save = async () => {
    await owner.connections.updateConnection({
      connection_id: connection.id,
      name: name.value.trim(),
      event_types: [...types.value],
    });
    onDone();
  };
  return (
    <section class="card">
      <Form fields={['name']} submitLabel={t('Save')} onCancel={onDone} onSubmit={save}>
        <BoundField
          signal={name}
          name="name"
          label={t('Name')}
          maxLength={LIMITS.connectionName}
          hint={t('The address cannot be changed. Add a connection for another one.')}
        />
        <EventChoice types={types} />
      </Form>
    </section>
  );
}

import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import {
  CONNECTION_KIND_LIST,
  CONNECTION_KINDS,
  type ConnectionKind,
} from '#contract/shared/connection-kinds.ts';
import { CARRIED_EVENT_TYPES } from '#contract/shared/event-types.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import { owner } from '#dashboard/api/api.ts';
import { Code } from '#dashboard/components/code.tsx';
import { BoundField } from '#dashboard/components/field.tsx';
import { Form } from '#dashboard/components/form.tsx';
import { Icon } from '#dashboard/components/icon.tsx';
import { hasDeveloperTools } from '#dashboard/current-account.ts';
import { navigate, query } from '#dashboard/router.ts';
import { t } from '#dashboard/translate.ts';
import { sendTest } from './connection-actions.ts';
import type { Connection, ConnectionList } from './connection-state.ts';
import { EventChoice } from './event-choice.tsx';
import { KINDS } from './kinds.ts';

interface FormProps {
  kind: ConnectionKind;
  /** The connection to edit. */
  connection?: Connection;
  onSaved: (connection: Connection, secret: string | null) => void;
  onCancel: () => void;
}

export function AddConnection({
  list,
  onSaved,
}: Pick<FormProps, 'onSaved'> & { list: ConnectionList }) {
  const kind = CONNECTION_KIND_LIST.find((other) => other === query.value.get('kind')) ?? 'discord';
  const obstacle = findObstacle(kind, list);
  const name = useId();
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
            <Icon path={KINDS[option].iconPath} />
            <span class="strong">{KINDS[option].title}</span>
            <span class="hint">{KINDS[option].description}</span>
          </label>
        ))}
      </fieldset>
      {obstacle === undefined ? (
        <ConnectionForm
          key={kind}
          kind={kind}
          onSaved={onSaved}
          onCancel={() => navigate('connections')}
        />
      ) : (
        <p class="panel bad">{obstacle}</p>
      )}
    </section>
  );
}

/** Why a connection of this kind cannot be added, and what to do. */
function findObstacle(kind: ConnectionKind, { available, email }: ConnectionList) {
  if (kind !== 'email' && !available)
    return t('This server stores no addresses. Its operator has to set ENCRYPTION_KEY first.');
  return kind === 'email' && email === null
    ? t('Confirm an email address under Mail first. Events are mailed to it.')
    : undefined;
}

function defaultTypes(kind: ConnectionKind): Connection['event_types'] {
  const { page, metrics } = CARRIED_EVENT_TYPES;
  const types = hasDeveloperTools.value === false ? page : [...page, ...metrics];
  // The contact form mails the message itself to the same address.
  return types.filter((type) => kind !== 'email' || type !== 'contact_message_received');
}

export function ConnectionForm({ kind, connection, onSaved, onCancel }: FormProps) {
  const { title, address, suggestUrl, topicOf, token: tokenTexts } = KINDS[kind];
  const url = useSignal(suggestUrl?.() ?? '');
  const token = useSignal('');
  const name = useSignal(connection?.name ?? '');
  const types = useSignal(connection?.event_types ?? defaultTypes(kind));
  const host = kind === 'webhook' && URL.canParse(url.value) ? new URL(url.value).host : '';
  const topic = topicOf?.(url.value);
  const save = async () => {
    const fields = { name: name.value.trim() || host || title, event_types: [...types.value] };
    if (connection) {
      await owner.connections.updateConnection({ connection_id: connection.id, ...fields });
      return onSaved(connection, null);
    }
    const created = await owner.connections.createConnection({
      ...{ kind, ...fields },
      ...(address && { url: url.value.trim() }),
      ...(token.value && { token: token.value.trim() }),
    });
    const added = created.connection as Connection;
    await sendTest(added);
    onSaved(added, created.secret);
  };
  const secretField = { autocomplete: 'off', spellcheck: false } as const;
  return (
    <Form
      fields={['url', 'token', 'name']}
      submitLabel={connection ? t('Save') : t('Add and send a test')}
      onCancel={onCancel}
      onSubmit={save}
    >
      {!connection && address && (
        <BoundField signal={url} type="url" name="url" {...secretField} {...address} />
      )}
      {!connection && topic && <Code text={topic} label={t('Topic')} />}
      {!connection && tokenTexts && (
        <BoundField
          signal={token}
          type="password"
          name="token"
          required={CONNECTION_KINDS[kind].needsToken}
          {...secretField}
          {...tokenTexts}
        />
      )}
      <BoundField
        signal={name}
        name="name"
        label={connection ? t('Name') : t('Name (optional)')}
        placeholder={host || title}
        maxLength={LIMITS.connectionName}
        hint={connection && t('The address cannot be changed. Add a connection for another one.')}
      />
      <EventChoice types={types} />
    </Form>
  );
}

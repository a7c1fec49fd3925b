import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import {
  CONNECTION_KIND_LIST,
  CONNECTION_KINDS,
  type ConnectionKind,
} from '#contract/shared/connection-kinds.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import { owner } from '#dashboard/api/api.ts';
import { errorMessage } from '#dashboard/api/error-message.ts';
import { Code } from '#dashboard/components/code.tsx';
import { BoundField } from '#dashboard/components/field.tsx';
import { Form } from '#dashboard/components/form.tsx';
import { dashboardHref, navigate, query } from '#dashboard/router.ts';
import { t } from '#dashboard/translate.ts';
import { sendTest } from './connection-actions.ts';
import { keepTypes, readDrafts, useConnectionDraft } from './connection-draft.ts';
import type { Connection, ConnectionList } from './connection-state.ts';
import { EventChoice } from './event-choice.tsx';
import { KindIcon } from './kind-icon.tsx';
import { KINDS } from './kinds.ts';

export interface FormProps {
  kind: ConnectionKind;
  /** The connection to edit. */
  connection?: Connection;
  email: ConnectionList['email'];
  onSaved: (connection: Connection, secret: string | null) => void;
  onCancel: () => void;
}

export function AddConnection({
  list,
  onSaved,
}: Pick<FormProps, 'onSaved'> & { list: ConnectionList }) {
  const chosen = query.value.get('kind');
  const kind =
    CONNECTION_KIND_LIST.find((other) => (chosen ? other === chosen : other in readDrafts())) ??
    'discord';
  const obstacle = findObstacle(kind, list);
  const choose = (other: ConnectionKind) => {
    keepTypes(kind, other);
    navigate(`connections/add?kind=${other}`, { replace: true });
  };
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
              onChange={() => choose(option)}
            />
            <KindIcon kind={option} />
            <span class="strong">{KINDS[option].title}</span>
            <span class="hint">{KINDS[option].description}</span>
          </label>
        ))}
      </fieldset>
      {obstacle === undefined ? (
        <ConnectionForm
          key={kind}
          kind={kind}
          email={list.email}
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
    ? t('Confirm an email address in Settings first. Events are mailed to it.')
    : undefined;
}

export function ConnectionForm({ kind, connection, email, onSaved, onCancel }: FormProps) {
  const { title, address, suggestionHint, token: tokenTexts } = KINDS[kind];
  const { url, name, types, suggestedUrl, mailedAnyway, discard } = useConnectionDraft(
    kind,
    connection,
  );
  const token = useSignal('');
  /** The line that allows the address, if the server refused it. */
  const setting = useSignal<string>();
  const host = kind === 'webhook' && URL.canParse(url.value) ? new URL(url.value).host : '';
  const isSuggested = suggestedUrl !== '' && url.value === suggestedUrl;
  const save = async () => {
    const fields = {
      name: name.value.trim() || host || title,
      event_types: types.value.filter((type) => type !== mailedAnyway),
    };
    const receiver = {
      url: address ? url.value.trim() : undefined,
      token: token.value.trim() || undefined,
    };
    const { connections } = owner;
    const request = connection
      ? connections.updateConnection({
          connection_id: connection.id,
          ...fields,
          ...receiver,
          url: receiver.url || undefined,
        })
      : connections.createConnection({ kind, ...fields, ...receiver });
    setting.value = undefined;
    const saved = await request.catch((error: unknown) => {
      setting.value = /CONNECTION_PRIVATE_ORIGINS=\S+/.exec(errorMessage(error))?.[0];
      throw error;
    });
    discard();
    const stored = saved.connection as Connection;
    if (!connection || receiver.url || receiver.token) await sendTest(stored);
    onSaved(stored, 'secret' in saved ? (saved.secret as string | null) : null);
  };
  const cancel = () => {
    discard();
    onCancel();
  };
  const secretField = { autocomplete: 'off', spellcheck: false } as const;
  return (
    <Form
      fields={['url', 'token', 'name']}
      submitLabel={connection ? t('Save') : t('Add and send a test')}
      onCancel={cancel}
      onSubmit={save}
    >
      {address && (
        <BoundField
          signal={url}
          type="url"
          name="url"
          {...secretField}
          {...address}
          {...(connection && { placeholder: connection.target ?? '' })}
          hint={
            connection
              ? t('Leave it empty to keep the current one.')
              : isSuggested
                ? suggestionHint
                : address.hint
          }
        />
      )}
      {setting.value && <Code text={setting.value} label={t('setting')} />}
      {!connection && isSuggested && (
        <Code text={suggestedUrl.split('/').at(-1)!} label={t('topic')} />
      )}
      {tokenTexts && (
        <BoundField
          signal={token}
          type="password"
          name="token"
          required={CONNECTION_KINDS[kind].needsToken && (!connection || url.value.trim() !== '')}
          {...secretField}
          {...tokenTexts}
          {...(connection && { hint: t('Needed again for another address.') })}
        />
      )}
      <BoundField
        signal={name}
        name="name"
        label={connection ? t('Name') : t('Name (optional)')}
        placeholder={host || title}
        maxLength={LIMITS.connectionName}
      />
      <EventChoice types={types} mailedAnyway={mailedAnyway} />
      {email === null && types.value.includes('contact_message_received') && <FormNeedsAddress />}
    </Form>
  );
}

function FormNeedsAddress() {
  return (
    <p class="note">
      <span>
        {t.rich(
          'Visitors see your contact form only after you confirm an email address in <link>Settings</link>.',
          { link: (text) => <a href={dashboardHref('settings#email')}>{text}</a> },
        )}
      </span>
    </p>
  );
}

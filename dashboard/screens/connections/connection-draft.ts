import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { ConnectionKind } from '#contract/shared/connection-kinds.ts';
import { CARRIED_EVENT_TYPES, type CarriedEventType } from '#contract/shared/event-types.ts';
import { connectionDraft } from '#dashboard/draft-storage.ts';
import type { Connection } from './connection-state.ts';
import { KINDS } from './kinds.ts';

interface ConnectionFields {
  url: string;
  name: string;
  types: readonly CarriedEventType[];
}

/** By the id of the connection or, for a new one, by its kind. Tokens are not kept. */
type Drafts = Readonly<Record<string, ConnectionFields>>;

export function readDrafts(): Drafts {
  return (connectionDraft.read() as Drafts | undefined) ?? {};
}

/** The fields of a form, which are kept until they are saved or canceled. */
export function useConnectionDraft(kind: ConnectionKind, connection: Connection | undefined) {
  const key = connection?.id ?? kind;
  const suggestedUrl = useSignal(KINDS[kind].suggestUrl?.() ?? '').value;
  const initial: ConnectionFields = connection
    ? { url: '', name: connection.name, types: connection.event_types }
    : { url: suggestedUrl, name: '', types: defaultTypes(kind) };
  const saved = readDrafts()[key] ?? initial;
  const url = useSignal(saved.url);
  const name = useSignal(saved.name);
  const types: Signal<ConnectionFields['types']> = useSignal(saved.types);
  const write = (fields?: ConnectionFields) => {
    const { [key]: _former, ...others } = readDrafts();
    const drafts = fields ? { ...others, [key]: fields } : others;
    connectionDraft.write(Object.keys(drafts).length > 0 ? drafts : undefined);
  };
  useEffect(() => {
    const fields = { url: url.value, name: name.value, types: types.value };
    write(JSON.stringify(fields) === JSON.stringify(initial) ? undefined : fields);
  }, [url.value, name.value, types.value]);
  return { url, name, types, suggestedUrl, discard: () => write() };
}

function defaultTypes(kind: ConnectionKind): CarriedEventType[] {
  const { page, metrics } = CARRIED_EVENT_TYPES;
  // The contact form mails the message itself to the same address.
  return [...page, ...metrics].filter(
    (type) => kind !== 'email' || type !== 'contact_message_received',
  );
}

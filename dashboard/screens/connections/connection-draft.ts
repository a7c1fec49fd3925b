import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { CONNECTION_KIND_LIST, type ConnectionKind } from '#contract/shared/connection-kinds.ts';
import {
  ALL_CARRIED_EVENT_TYPES,
  CARRIED_EVENT_TYPES,
  type CarriedEventType,
} from '#contract/shared/event-types.ts';
import { connectionDraft } from '#dashboard/draft-storage.ts';
import { query } from '#dashboard/router.ts';
import type { Connection } from './connection-state.ts';
import { KINDS } from './kinds.ts';

interface ConnectionFields {
  url: string;
  name: string;
  types: readonly CarriedEventType[];
}

/** By the id of the connection or, for a new one, by its kind. Tokens are not kept. */
type Drafts = Readonly<Record<string, Partial<ConnectionFields>>>;

const CONTACT = 'contact_message_received';

const DEFAULT_TYPES: readonly CarriedEventType[] = [
  ...CARRIED_EVENT_TYPES.page,
  ...CARRIED_EVENT_TYPES.metrics,
];

export function readDrafts(): Drafts {
  return (connectionDraft.read() as Drafts | undefined) ?? {};
}

/** The fields of a form, which are kept until they are saved or canceled. */
export function useConnectionDraft(kind: ConnectionKind, connection: Connection | undefined) {
  const key = connection?.id ?? kind;
  const suggestedUrl = useSignal(KINDS[kind].suggestUrl?.() ?? '').value;
  const initial: ConnectionFields = connection
    ? { url: '', name: connection.name, types: connection.event_types }
    : { url: suggestedUrl, name: '', types: DEFAULT_TYPES };
  const saved = { ...initial, ...readDrafts()[key] };
  saved.types = withAskedType(readDrafts()[key]?.types) ?? initial.types;
  const url = useSignal(saved.url);
  const name = useSignal(saved.name);
  const types: Signal<ConnectionFields['types']> = useSignal(saved.types);
  useEffect(() => {
    const fields = { url: url.value, name: name.value, types: types.value };
    writeDrafts({
      [key]: JSON.stringify(fields) === JSON.stringify(initial) ? undefined : fields,
    });
  }, [url.value, name.value, types.value]);
  // The ticks of a new connection are in the drafts of all kinds that were chosen on the way.
  const discarded = connection ? [key] : CONNECTION_KIND_LIST;
  const discard = () =>
    writeDrafts(Object.fromEntries(discarded.map((other) => [other, undefined])));
  // The contact form mails the message itself to the same address.
  const mailedAnyway: CarriedEventType | undefined =
    kind === 'email' && !connection?.event_types.includes(CONTACT) ? CONTACT : undefined;
  return { url, name, types, suggestedUrl, mailedAnyway, discard };
}

/** Adds the event of the address, such as the weekly summary. */
function withAskedType(types: ConnectionFields['types'] | undefined) {
  const asked = query.value.get('event');
  if (asked === null) return types;
  return ALL_CARRIED_EVENT_TYPES.filter((type) => type === asked || types?.includes(type));
}

/** What is ticked in the form of a new connection stays when another kind is chosen. */
export function keepTypes(from: ConnectionKind, to: ConnectionKind): void {
  const drafts = readDrafts();
  // A kind that cannot be added has no form and no draft.
  const types = drafts[from]?.types ?? withAskedType(undefined);
  if (!types && !drafts[to]) return;
  writeDrafts({ [to]: { ...drafts[to], types: types ?? DEFAULT_TYPES } });
}

/** `undefined` removes a draft. */
function writeDrafts(changed: Record<string, Partial<ConnectionFields> | undefined>): void {
  const drafts = Object.entries({ ...readDrafts(), ...changed }).filter(([, fields]) => fields);
  connectionDraft.write(drafts.length > 0 ? Object.fromEntries(drafts) : undefined);
}

import { type Signal, useSignal } from '@preact/signals';
import {
  CONNECTION_KIND_LIST,
  CONNECTION_KINDS,
  type ConnectionKind,
} from '#contract/shared/connection-kinds.ts';
import type { ResponseOf, owner } from '#dashboard/api/api.ts';
import { BoundField } from '#dashboard/components/field.tsx';
import { dashboardHref } from '#dashboard/router.ts';
import { t } from '#dashboard/translate.ts';
import type { Connection, ConnectionList } from '../connections/connection-state.ts';
import {
  type AddressDraft,
  AddressFields,
  createConnection,
  findObstacle,
  KINDS,
  useAddressDraft,
} from '../connections/kinds.tsx';

type Alert = ResponseOf<typeof owner.alerts.listAlerts>['alerts'][number];
export type AlertTargets = ConnectionList;

/** Other option values are ids of connections, or kinds of new ones. */
const ALL_OPTION = '';
/** Keys are shown on the screen of connections only. The account's own address comes first. */
const NEW_KINDS = CONNECTION_KIND_LIST.filter(
  (kind) => CONNECTION_KINDS[kind].secret !== 'key',
).toSorted((a, b) => Number(hasAddress(a)) - Number(hasAddress(b)));

export function describeTarget({ connection_id }: Alert, { connections }: AlertTargets): string {
  const connection = connections.find(({ id }) => id === connection_id);
  return connection?.name ?? t('all connections that carry alerts');
}

const carriesAlerts = ({ event_types, disabled_at }: Connection) =>
  disabled_at === null && event_types.includes('alert_firing');

export interface AlertTarget {
  option: Signal<string>;
  options: readonly (readonly [value: string, label: string])[];
  newKind: ConnectionKind | undefined;
  draft: AddressDraft;
  /** Creates a new connection, and returns the fields of the alert. */
  save: () => Promise<{ connection_id: string | null }>;
}

export function useAlertTarget(alert: Alert | undefined, targets: AlertTargets): AlertTarget {
  const created = useSignal<readonly Connection[]>([]);
  const draft = useAddressDraft();
  const all = [...targets.connections, ...created.value];
  const count = all.filter(carriesAlerts).length;
  const newKinds = NEW_KINDS.filter((kind) => !findObstacle(kind, targets)).filter(
    (kind) => hasAddress(kind) || all.every((other) => other.kind !== kind),
  );
  const options = [
    [ALL_OPTION, t('All connections that carry alerts ({count})', { count })] as const,
    ...all.map(({ id, name }) => [id, name] as const),
    ...newKinds.map((kind) => [kind, newLabel(kind, targets.email)] as const),
  ];
  const fallback = count > 0 ? ALL_OPTION : (options[1] ?? options[0]!)[0];
  const option = useSignal<string>(alert ? (alert.connection_id ?? ALL_OPTION) : fallback);
  const newKind = newKinds.find((kind) => kind === option.value);
  const save = async () => {
    if (newKind) {
      const { connection } = await createConnection(newKind, draft, []);
      // Select it, so that submitting again after an error does not create it twice.
      created.value = [...created.value, connection];
      option.value = connection.id;
    }
    return { connection_id: option.peek() || null };
  };
  return { option, options, newKind, draft, save };
}

function newLabel(kind: ConnectionKind, email: string | null): string {
  return hasAddress(kind)
    ? t('{kind}: add a new one…', { kind: KINDS[kind].title })
    : String(email);
}

function hasAddress(kind: ConnectionKind): boolean {
  return CONNECTION_KINDS[kind].url !== undefined;
}

export function AlertTargetFields({
  target: { option, options, newKind, draft },
  targets,
}: {
  target: AlertTarget;
  targets: AlertTargets;
}) {
  return (
    <>
      <BoundField
        signal={option}
        name="connection_id"
        label={t('Send a message to')}
        options={options}
      />
      {option.value === ALL_OPTION && <NobodyNote targets={targets} />}
      {newKind && hasAddress(newKind) && <AddressFields kind={newKind} draft={draft} />}
    </>
  );
}

/** Warns if no connection carries alerts. */
export function NobodyNote({ targets: { connections } }: { targets: AlertTargets }) {
  if (connections.some(carriesAlerts)) return null;
  return (
    <p class="note">
      {t.rich('No connection carries alerts, so nobody gets a message. <link>Add one</link>', {
        link: (text) => <a href={dashboardHref('connections/add')}>{text}</a>,
      })}
    </p>
  );
}

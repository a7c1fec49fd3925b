import { owner } from '#dashboard/api/api.ts';
import { confirm } from '#dashboard/components/confirm.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import type { MenuItem } from '#dashboard/components/menu.tsx';
import { showError, showMessage, withErrorMessage } from '#dashboard/components/messages.tsx';
import { navigate } from '#dashboard/router.ts';
import { t } from '#dashboard/translate.ts';
import { BIN_ICON } from '../page/row-menu.tsx';
import {
  type Connection,
  type ConnectionList,
  type Delivery,
  describeResult,
} from './connection-state.ts';

export async function loadConnections(): Promise<ConnectionList> {
  return (await owner.connections.listConnections()) as ConnectionList;
}

export function sendTest({ id, kind }: Pick<Connection, 'id' | 'kind'>): Promise<void> {
  return showResult(kind, owner.connections.sendTestEvent({ connection_id: id }));
}

export function sendAgain(kind: Connection['kind'], delivery_id: string): Promise<void> {
  return showResult(kind, owner.connections.sendDelivery({ delivery_id }));
}

export async function sendFailed(connection_id: string): Promise<void> {
  const request = owner.connections.sendFailedDeliveries({ connection_id });
  const { count } = (await withErrorMessage(request)) ?? {};
  if (count !== undefined)
    showMessage(
      t('{count, plural, one {# delivery is sent again.} other {# deliveries are sent again.}}', {
        count,
      }),
    );
}

async function showResult(
  kind: Connection['kind'],
  request: ReturnType<typeof owner.connections.sendDelivery>,
): Promise<void> {
  showMessage(t('Sending…'));
  const { delivery } = (await withErrorMessage(request)) ?? {};
  if (!delivery) return;
  const text = describeResult(kind, delivery as Delivery);
  (delivery.status === 'delivered' ? showMessage : showError)(text);
}

export async function switchConnection(
  { id: connection_id, disabled_at }: Connection,
  onChange: () => void,
): Promise<void> {
  const enabled = disabled_at !== null;
  const request = owner.connections.updateConnection({ connection_id, enabled });
  if (await withErrorMessage(request))
    showMessage(
      enabled
        ? t('Switched on. Events are sent from now on.')
        : `${t('Switched off.')} ${t('What happens in the meantime is not sent later.')}`,
    );
  onChange();
}

/** `onChange` reloads the connections. */
export function listActions(connection: Connection, onChange: () => void): MenuItem[] {
  const { id: connection_id, name, disabled_at } = connection;
  const remove = async () => {
    const title = t('Delete {name}?', { name });
    const text = t('Nothing more is sent there, and the list of its deliveries is deleted.');
    if (!(await confirm({ title, text, action: t('Delete') }))) return;
    if (!(await withErrorMessage(owner.connections.deleteConnection({ connection_id })))) return;
    navigate('connections');
    onChange();
  };
  return [
    {
      label: t('Send a test'),
      iconPath: ICON_PATHS.bell,
      run: () => sendTest(connection).finally(onChange),
    },
    {
      label: t('Edit'),
      iconPath: ICON_PATHS.edit,
      run: () => navigate(`connections/${connection_id}/edit`),
    },
    {
      label: disabled_at === null ? t('Switch off') : t('Switch on'),
      iconPath: disabled_at === null ? ICON_PATHS.pause : ICON_PATHS.check,
      run: () => switchConnection(connection, onChange),
    },
    { label: t('Delete'), iconPath: BIN_ICON, isDangerous: true, run: remove },
  ];
}

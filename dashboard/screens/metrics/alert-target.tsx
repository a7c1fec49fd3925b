import { dashboardHref } from '#dashboard/router.ts';
import { t } from '#dashboard/translate.ts';
import type { Connection } from '../connections/connection-state.ts';

export function carriesAlerts({ event_types, disabled_at }: Connection): boolean {
  return disabled_at === null && event_types.includes('alert_firing');
}

/** Warns if no connection carries alerts. */
export function NobodyNote({ connections }: { connections: readonly Connection[] }) {
  if (connections.some(carriesAlerts)) return null;
  return (
    <p class="note">
      {t.rich('No connection carries alerts, so nobody gets a message. <link>Add one</link>', {
        link: (text) => <a href={dashboardHref('connections/add')}>{text}</a>,
      })}
    </p>
  );
}

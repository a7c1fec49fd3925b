import { dashboardHref } from '#dashboard/router.ts';
import { t } from '#dashboard/translate.ts';
import { carriesAlerts, type Connection } from '../connections/connection-state.ts';

/** Warns if no connection carries alerts. Its link opens another tab, so that the form of an alert stays. */
export function NobodyNote({ connections }: { connections: readonly Connection[] }) {
  if (connections.some(carriesAlerts)) return null;
  return (
    <p class="note">
      <span>
        {t.rich('No connection gets alerts, so nobody is notified. <link>Add one</link>', {
          link: (text) => (
            <a href={dashboardHref('connections/add')} target="_blank" rel="noreferrer">
              {text}
            </a>
          ),
        })}
      </span>
    </p>
  );
}

import { owner } from '../../api/api.ts';
import { ApiCall } from '../../parts/api-call.tsx';
import { Empty, Show } from '../../parts/states.tsx';
import { Ago } from '../../parts/time.tsx';
import { useLoaded } from '../../parts/use-loaded.ts';
import { addressOf } from '../../router.ts';

const SHOWN = 5;

/** Events of the account lately. */
export function LastEvents() {
  const events = useLoaded(() => owner.events.listEvents({ limit: SHOWN }));
  return (
    <section class="card">
      <div class="row between">
        <h2>Last events</h2>
        <a href={addressOf('events')}>All events</a>
      </div>
      <Show loaded={events}>
        {({ events: list }) =>
          list.length === 0 ? (
            <Empty title="No events yet">
              <p class="muted">Logins, keys, name changes and chat messages appear here.</p>
            </Empty>
          ) : (
            <ul class="lines">
              {list.map((event) => (
                <li key={event.id} class="row between">
                  <span>
                    {event.summary}
                    {event.outcome !== 'succeeded' && (
                      <span class={event.outcome === 'failed' ? 'error' : 'muted'}>
                        {' '}
                        {event.outcome}
                      </span>
                    )}
                  </span>
                  <span class="muted">
                    <Ago time={event.created_at} />
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Show>
      <ApiCall endpoint="events.listEvents" input={{ limit: SHOWN }} />
    </section>
  );
}

import type { Answer, owner } from '#dashboard/api/api.ts';
import { ApiCall } from '#dashboard/parts/api-call.tsx';
import { LINES } from '#dashboard/parts/icon-lines.ts';
import { Empty, Show } from '#dashboard/parts/states.tsx';
import { Ago } from '#dashboard/parts/time.tsx';
import type { Loaded } from '#dashboard/parts/use-loaded.ts';
import { addressOf } from '#dashboard/router.ts';
import { EventLine } from '../events/event-line.tsx';

/** Number of events that are loaded and shown. */
export const LAST_EVENTS = 5;

/** Events of the account lately. */
export function LastEvents({ events }: { events: Loaded<Answer<typeof owner.events.listEvents>> }) {
  return (
    <section class="card last-events">
      <div class="card-head">
        <h2>Latest events</h2>
        <a href={addressOf('events')}>All events</a>
      </div>
      <Show loaded={events}>
        {({ events: list }) =>
          list.length === 0 ? (
            <Empty icon={LINES.clock} title="Nothing happened yet">
              <p class="muted">Sign-ins, keys and changes of your page appear here.</p>
            </Empty>
          ) : (
            <ul>
              {list.map((event) => (
                <EventLine
                  key={event.id}
                  event={event}
                  time={<Ago time={event.created_at} />}
                  isNarrow
                />
              ))}
            </ul>
          )
        }
      </Show>
      <ApiCall endpoint="events.listEvents" input={{ limit: LAST_EVENTS }} />
    </section>
  );
}

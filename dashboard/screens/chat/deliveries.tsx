import { owner } from '../../api/api.ts';
import { Empty, Show } from '../../parts/states.tsx';
import { LINES } from '../../parts/icon-lines.ts';
import { Ago } from '../../parts/time.tsx';
import { useLoaded } from '../../parts/use-loaded.ts';
import { EventLine } from '../events/event-line.tsx';

/** The latest messages of the account with their outcomes. */
export function Deliveries({ turn }: { turn: number }) {
  const events = useLoaded(() => owner.events.listEvents({ kind: 'chat', limit: 10 }), [turn]);
  return (
    <section class="card">
      <h2>Recent messages</h2>
      <Show loaded={events}>
        {({ events: list }) =>
          list.length === 0 ? (
            <Empty icon={LINES.message} title="Nothing sent yet">
              <p class="muted">Messages from here, from programs and from alerts appear here.</p>
            </Empty>
          ) : (
            <ul class="lines">
              {list.map((event) => (
                <EventLine key={event.id} event={event} time={<Ago time={event.created_at} />} />
              ))}
            </ul>
          )
        }
      </Show>
    </section>
  );
}

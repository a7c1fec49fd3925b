import { type Answer, owner } from '../../api/api.ts';
import { ApiCall } from '../../parts/api-call.tsx';
import { Icon } from '../../parts/icon.tsx';
import { LINES } from '../../parts/icon-lines.ts';
import { Empty, Show } from '../../parts/states.tsx';
import { Ago } from '../../parts/time.tsx';
import { useLoaded } from '../../parts/use-loaded.ts';
import { addressOf } from '../../router.ts';

type Event = Answer<typeof owner.events.listEvents>['events'][number];

const SHOWN = 5;

/** Icons by the first word of what kind an event is of. */
const ICONS: Readonly<Record<string, keyof typeof LINES>> = {
  display: 'name',
  forwarding: 'mail',
  chat: 'message',
  key: 'key',
  passkey: 'passkey',
  page: 'page',
  account: 'user',
};

/** Events of the account lately. */
export function LastEvents() {
  const events = useLoaded(() => owner.events.listEvents({ limit: SHOWN }));
  return (
    <section class="card">
      <div class="card-head">
        <h2>Latest events</h2>
        <a href={addressOf('events')}>All events</a>
      </div>
      <Show loaded={events}>
        {({ events: list }) =>
          list.length === 0 ? (
            <Empty title="No events yet">
              <p class="muted">Logins, keys, name changes and chat messages appear here.</p>
            </Empty>
          ) : (
            <ul class="events">
              {list.map((event) => (
                <Line key={event.id} event={event} />
              ))}
            </ul>
          )
        }
      </Show>
      <ApiCall endpoint="events.listEvents" input={{ limit: SHOWN }} />
    </section>
  );
}

function Line({ event: { type, outcome, summary, created_at: time } }: { event: Event }) {
  const isFailed = outcome === 'failed' || type === 'login_failed';
  const tone = isFailed ? 'tile warn' : type.startsWith('page') ? 'tile good' : 'tile';
  return (
    <li>
      <span class={tone}>
        <Icon lines={LINES[ICONS[type.split('_')[0]!] ?? 'signIn']} />
      </span>
      <p title={summary}>
        {summary}
        {outcome !== 'succeeded' && <span class={isFailed ? 'error' : 'muted'}> {outcome}</span>}
      </p>
      <span class="time">
        <Ago time={time} />
      </span>
    </li>
  );
}

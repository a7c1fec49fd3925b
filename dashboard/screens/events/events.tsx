import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { EventKind } from '../../../contract/owner/event-types.ts';
import { type Answer, owner } from '../../api/api.ts';
import { ApiCall } from '../../parts/api-call.tsx';
import { showing } from '../../parts/messages.tsx';
import { Icon } from '../../parts/icon.tsx';
import { LINES } from '../../parts/icon-lines.ts';
import { PageTitle } from '../../parts/page-title.tsx';
import { Empty, Show } from '../../parts/states.tsx';
import { Clock } from '../../parts/time.tsx';
import { useLoaded } from '../../parts/use-loaded.ts';
import { go, query } from '../../router.ts';
import { daysOf } from './days.ts';
import { EventLine } from './event-line.tsx';
import './events.css';

type Batch = Answer<typeof owner.events.listEvents>;
interface Question {
  limit: number;
  kind?: EventKind;
}

const KINDS: Readonly<Record<EventKind, string>> = {
  page: 'Page',
  login: 'Sign-in',
  key: 'Keys',
  mail: 'Mail',
  chat: 'Chat',
  alert: 'Alerts',
  account: 'Account',
};

/** Events of the account by day, newest first, as far back as one wants to look. */
export function Events() {
  const chosen = query.value.get('kind') ?? '';
  const kind = chosen in KINDS ? (chosen as EventKind) : undefined;
  const question: Question = { limit: 50, ...(kind && { kind }) };
  const latest = useLoaded(() => owner.events.listEvents(question), [kind]);
  return (
    <>
      <PageTitle title="Events" about="Everything that happened to your account.">
        <button type="button" aria-busy={latest.isLoading} onClick={latest.reload}>
          <Icon lines={LINES.refresh} />
          Refresh
        </button>
      </PageTitle>
      <div class="event-filter" role="group" aria-label="Kind of events">
        {[['', 'All'], ...Object.entries(KINDS)].map(([value, title]) => (
          <button
            key={value}
            type="button"
            class="chip"
            aria-pressed={(kind ?? '') === value}
            onClick={() => go(value ? `events?kind=${value}` : 'events', { replace: true })}
          >
            {title}
          </button>
        ))}
      </div>
      <section class="card" aria-label="Events">
        <Show loaded={latest}>
          {(batch) =>
            batch.events.length === 0 ? (
              <Empty
                icon={LINES.clock}
                title={kind ? 'Nothing of this kind yet' : 'Nothing happened yet'}
              >
                <p class="muted">
                  Sign-ins, keys, changes of your page, mail and chat messages appear here.
                </p>
              </Empty>
            ) : (
              <Days latest={batch} question={question} />
            )
          }
        </Show>
        <ApiCall endpoint="events.listEvents" input={question} />
      </section>
    </>
  );
}

function Days({ latest, question }: { latest: Batch; question: Question }) {
  const older = useSignal<readonly Batch[]>([]);
  useEffect(() => {
    older.value = [];
  }, [latest, older]);
  const batches = [latest, ...older.value];
  const next = batches.at(-1)!.next;
  const more = async (after: string) => {
    const batch = await showing(owner.events.listEvents({ ...question, after }));
    if (batch) older.value = [...older.value, batch];
  };
  return (
    <>
      <div class="event-days">
        {daysOf(batches.flatMap(({ events }) => events)).map(({ title, events }) => (
          <section key={title}>
            <h2>{title}</h2>
            <ul>
              {events.map((event) => (
                <EventLine key={event.id} event={event} time={<Clock time={event.created_at} />} />
              ))}
            </ul>
          </section>
        ))}
      </div>
      {next !== null && (
        <div class="actions">
          <button type="button" onClick={() => void more(next)}>
            Show older
          </button>
        </div>
      )}
    </>
  );
}

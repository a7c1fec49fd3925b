import type { EventKind } from '#contract/owner/event-types.ts';
import { owner } from '#dashboard/api/api.ts';
import { ApiCall } from '#dashboard/parts/api-call.tsx';
import { Icon } from '#dashboard/parts/icon.tsx';
import { LINES } from '#dashboard/parts/icon-lines.ts';
import { PageTitle } from '#dashboard/parts/page-title.tsx';
import { Empty, Show } from '#dashboard/parts/states.tsx';
import { Clock } from '#dashboard/parts/time.tsx';
import { useBatches } from '#dashboard/parts/use-batches.ts';
import { go, query } from '#dashboard/router.ts';
import { daysOf } from './days.ts';
import { EventLine } from './event-line.tsx';
import './events.css';

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
  const { loaded, batches, more } = useBatches(
    (cursor) => owner.events.listEvents({ ...question, ...cursor }),
    [kind],
  );
  return (
    <>
      <PageTitle title="Events" about="Everything that happened to your account.">
        <button type="button" aria-busy={loaded.isLoading} onClick={loaded.reload}>
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
        <Show loaded={loaded}>
          {({ events }) =>
            events.length === 0 ? (
              <Empty
                icon={LINES.clock}
                title={kind ? 'Nothing of this kind yet' : 'Nothing happened yet'}
              >
                <p class="muted">
                  Sign-ins, keys, changes of your page, mail and chat messages appear here.
                </p>
              </Empty>
            ) : (
              <>
                <div class="event-days">
                  {daysOf(batches.flatMap((batch) => batch.events)).map(({ title, events: of }) => (
                    <section key={title}>
                      <h2>{title}</h2>
                      <ul>
                        {of.map((event) => (
                          <EventLine
                            key={event.id}
                            event={event}
                            time={<Clock time={event.created_at} />}
                          />
                        ))}
                      </ul>
                    </section>
                  ))}
                </div>
                {more && (
                  <div class="actions">
                    <button type="button" onClick={more}>
                      Show older
                    </button>
                  </div>
                )}
              </>
            )
          }
        </Show>
        <ApiCall endpoint="events.listEvents" input={question} />
      </section>
    </>
  );
}

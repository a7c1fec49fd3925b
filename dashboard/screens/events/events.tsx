import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { type Answer, owner } from '../../api/api.ts';
import { agentWords } from '../../parts/agent-words.ts';
import { ApiCall } from '../../parts/api-call.tsx';
import { showing } from '../../parts/messages.tsx';
import { Icon } from '../../parts/icon.tsx';
import { LINES } from '../../parts/icon-lines.ts';
import { PageTitle } from '../../parts/page-title.tsx';
import { Empty, Show } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { Ago } from '../../parts/time.tsx';
import { useLoaded } from '../../parts/use-loaded.ts';

type Page = Answer<typeof owner.events.listEvents>;
type Event = Page['events'][number];

/** Events of the account, newest first, as far back as one wants to look. */
export function Events() {
  const latest = useLoaded(() => owner.events.listEvents({ limit: 50 }));
  return (
    <>
      <PageTitle title="Events" about="What happened to your account, newest first.">
        <button type="button" aria-busy={latest.isLoading} onClick={latest.reload}>
          <Icon lines={LINES.refresh} />
          Refresh
        </button>
      </PageTitle>
      <section class="card">
        <h2>What happened</h2>
        <Show loaded={latest}>
          {(page) =>
            page.events.length === 0 ? (
              <Empty title="No events yet">
                <p class="muted">Logins, keys, name changes and chat messages appear here.</p>
              </Empty>
            ) : (
              <EventTable latest={page} />
            )
          }
        </Show>
        <ApiCall endpoint="events.listEvents" input={{ limit: 50 }} />
      </section>
    </>
  );
}

/** Event with its outcome unless it succeeded, and the browser of a login. */
function What({ summary, outcome, detail: { agent } }: Event) {
  return (
    <>
      {summary}
      {outcome !== 'succeeded' && (
        <span class={outcome === 'failed' ? 'error' : 'muted'}> {outcome}</span>
      )}
      {typeof agent === 'string' && <span class="muted"> in {agentWords(agent)}</span>}
    </>
  );
}

function EventTable({ latest }: { latest: Page }) {
  const older = useSignal<readonly Page[]>([]);
  useEffect(() => {
    older.value = [];
  }, [latest, older]);
  const pages = [latest, ...older.value];
  const next = pages.at(-1)!.next;
  const more = async (after: string) => {
    const page = await showing(owner.events.listEvents({ limit: 50, after }));
    if (page) older.value = [...older.value, page];
  };
  return (
    <>
      <Table
        caption="Events"
        rows={pages.flatMap(({ events }) => events)}
        keyOf={(event) => event.id}
        columns={[
          { title: 'When', cell: (event) => <Ago time={event.created_at} /> },
          { title: 'What', cell: What },
        ]}
      />
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

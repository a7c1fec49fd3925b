import { type Answer, owner } from '../../api/api.ts';
import { ApiCall } from '../../parts/api-call.tsx';
import { confirm } from '../../parts/confirm.tsx';
import { say, showing } from '../../parts/messages.tsx';
import { Show } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { Ago } from '../../parts/time.tsx';
import { useLoaded } from '../../parts/use-loaded.ts';
import { agentWords } from '../../parts/agent-words.ts';

type Session = Answer<typeof owner.session.listSessions>['sessions'][number];

const WAYS: Readonly<Record<string, string>> = {
  link: 'a link',
  key: 'an API key',
  passkey: 'a passkey',
};

/** Every browser that is signed in, and a way to end each session. */
export function Sessions() {
  const sessions = useLoaded(() => owner.session.listSessions());
  const end = async ({ id, agent }: Session) => {
    if (!(await showing(owner.session.revokeSession({ sessionId: id })))) return;
    say(`Ended the session of ${agentWords(agent)}.`);
    sessions.reload();
  };
  const endAll = async () => {
    const isSure = await confirm({
      title: 'End all sessions?',
      text: 'Every browser is signed out, including this one. Keys keep working.',
      action: 'End all',
    });
    if (isSure && (await showing(owner.session.revokeAllSessions())))
      location.assign('/dashboard/login');
  };
  return (
    <section class="card">
      <h2>Sessions</h2>
      <Show loaded={sessions}>
        {({ sessions: list }) => (
          <Table
            caption="Sessions"
            rows={list}
            keyOf={({ id }) => id}
            columns={[
              {
                title: 'Browser',
                cell: ({ agent, current }) => (
                  <span class="row" title={agent ?? undefined}>
                    {agentWords(agent)}
                    {current && <span class="pill good">This one</span>}
                  </span>
                ),
              },
              { title: 'Signed in by', cell: ({ via }) => WAYS[via] ?? via },
              { title: 'Began', cell: (session) => <Ago time={session.created_at} /> },
              { title: 'Last used', cell: (session) => <Ago time={session.last_seen_at} /> },
              { title: 'Ends', cell: (session) => <Ago time={session.ends_at} /> },
              {
                title: 'Action',
                isUntitled: true,
                cell: (session) =>
                  !session.current && (
                    <button
                      type="button"
                      class="quiet"
                      aria-label={`End the session of ${agentWords(session.agent)}`}
                      onClick={() => void end(session)}
                    >
                      End
                    </button>
                  ),
              },
            ]}
          />
        )}
      </Show>
      <div class="actions end">
        <button type="button" class="danger" onClick={() => void endAll()}>
          End all sessions
        </button>
      </div>
      <ApiCall
        endpoint="session.listSessions"
        also={[
          ['session.revokeSession', { sessionId: sessions.value?.sessions[0]?.id ?? '' }],
          ['session.revokeAllSessions'],
          ['session.getSession'],
        ]}
      />
    </section>
  );
}

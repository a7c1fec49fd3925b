import { type Answer, owner } from '#dashboard/api/api.ts';
import { ApiCall } from '#dashboard/parts/api-call.tsx';
import { confirm } from '#dashboard/parts/confirm.tsx';
import { Icon } from '#dashboard/parts/icon.tsx';
import { say, showing } from '#dashboard/parts/messages.tsx';
import { Show } from '#dashboard/parts/states.tsx';
import { Table } from '#dashboard/parts/table.tsx';
import { Ago } from '#dashboard/parts/time.tsx';
import { useLoaded } from '#dashboard/parts/use-loaded.ts';
import { agentWords } from '#dashboard/parts/agent-words.ts';

type Session = Answer<typeof owner.session.listSessions>['sessions'][number];

const WAYS: Readonly<Record<string, string>> = {
  link: 'Login link',
  key: 'API key',
  passkey: 'Passkey',
  oidc: 'Single sign-on',
};

const COMPUTER = 'M3 3h10v7.5H3zM1.5 13h13';
const PHONE = 'M4.5 1.5h7v13h-7zM7.5 12.5h1';

/** Every browser that is signed in, and a way to end each session. */
export function Sessions() {
  const sessions = useLoaded(() => owner.session.listSessions());
  const end = async ({ id, agent }: Session) => {
    if (!(await showing(owner.session.revokeSession({ sessionId: id })))) return;
    say(`Signed out ${agentWords(agent)}.`);
    sessions.reload();
  };
  const endAll = async () => {
    const isSure = await confirm({
      title: 'Sign out everywhere?',
      text: 'Every browser is signed out, including this one. Keys keep working.',
      action: 'Sign out everywhere',
    });
    if (isSure && (await showing(owner.session.revokeAllSessions())))
      location.assign('/dashboard/login');
  };
  return (
    <section class="card">
      <div class="card-head">
        <h2>
          Sessions
          {sessions.value && <span class="count">{sessions.value.sessions.length}</span>}
        </h2>
        <button type="button" onClick={() => void endAll()}>
          Sign out everywhere
        </button>
      </div>
      <Show loaded={sessions}>
        {({ sessions: list }) => (
          <Table
            caption="Sessions"
            rows={list}
            keyOf={({ id }) => id}
            columns={[
              {
                title: 'Device',
                cell: ({ agent, current }) => (
                  <div class="security-name" title={agent ?? undefined}>
                    <span class={current ? 'tile good' : 'tile'}>
                      <Icon lines={/Mobi|Android|iPad/.test(agent ?? '') ? PHONE : COMPUTER} />
                    </span>
                    <span class="row">
                      <span class="strong">{agentWords(agent)}</span>
                      {current && <span class="pill good">This device</span>}
                    </span>
                  </div>
                ),
              },
              { title: 'Signed in with', cell: ({ via }) => WAYS[via] ?? via },
              { title: 'Signed in', cell: (session) => <Ago time={session.created_at} /> },
              { title: 'Last active', cell: (session) => <Ago time={session.last_seen_at} /> },
              { title: 'Expires', cell: (session) => <Ago time={session.ends_at} /> },
              {
                title: 'Action',
                isUntitled: true,
                cell: (session) =>
                  !session.current && (
                    <button
                      type="button"
                      class="quiet danger"
                      aria-label={`Sign out ${agentWords(session.agent)}`}
                      onClick={() => void end(session)}
                    >
                      Sign out
                    </button>
                  ),
              },
            ]}
          />
        )}
      </Show>
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

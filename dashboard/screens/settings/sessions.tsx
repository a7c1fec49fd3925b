import { type ResponseOf, owner } from '#dashboard/api/api.ts';
import { ApiCall } from '#dashboard/components/api-call.tsx';
import { confirm } from '#dashboard/components/confirm.tsx';
import { Icon } from '#dashboard/components/icon.tsx';
import { showMessage, withErrorMessage } from '#dashboard/components/messages.tsx';
import { AsyncContent } from '#dashboard/components/async-content.tsx';
import { Table } from '#dashboard/components/table.tsx';
import { TimeAgo } from '#dashboard/components/time.tsx';
import { useAsync } from '#dashboard/components/use-async.ts';
import { hasDeveloperTools } from '#dashboard/current-account.ts';
import { describeUserAgent } from '#dashboard/components/user-agent.ts';

type Session = ResponseOf<typeof owner.session.listSessions>['sessions'][number];

const METHOD_LABELS: Readonly<Record<string, string>> = {
  link: 'Login link',
  key: 'API key',
  passkey: 'Passkey',
  oidc: 'Single sign-on',
};

const COMPUTER_ICON = 'M3 3h10v7.5H3zM1.5 13h13';
const PHONE_ICON = 'M4.5 1.5h7v13h-7zM7.5 12.5h1';

export function Sessions() {
  const sessions = useAsync(() => owner.session.listSessions());
  const end = async ({ id, agent }: Session) => {
    if (!(await withErrorMessage(owner.session.revokeSession({ sessionId: id })))) return;
    showMessage(`Signed out ${describeUserAgent(agent)}.`);
    sessions.reload();
  };
  const endAll = async () => {
    const isSure = await confirm({
      title: 'Sign out everywhere?',
      text: hasDeveloperTools.value
        ? 'Every browser is signed out, including this one. Keys keep working.'
        : 'Every browser is signed out, including this one.',
      action: 'Sign out everywhere',
    });
    if (isSure && (await withErrorMessage(owner.session.revokeAllSessions())))
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
      <AsyncContent state={sessions}>
        {({ sessions: list }) => (
          <Table
            caption="Sessions"
            rows={list}
            keyOf={({ id }) => id}
            columns={[
              {
                title: 'Device',
                cell: ({ agent, current }) => (
                  <div class="settings-name" title={agent ?? undefined}>
                    <span class={current ? 'tile good' : 'tile'}>
                      <Icon
                        path={/Mobi|Android|iPad/.test(agent ?? '') ? PHONE_ICON : COMPUTER_ICON}
                      />
                    </span>
                    <span class="row">
                      <span class="strong">{describeUserAgent(agent)}</span>
                      {current && <span class="pill good">This device</span>}
                    </span>
                  </div>
                ),
              },
              { title: 'Signed in with', cell: ({ via }) => METHOD_LABELS[via] ?? via },
              { title: 'Signed in', cell: (session) => <TimeAgo time={session.created_at} /> },
              { title: 'Last active', cell: (session) => <TimeAgo time={session.last_seen_at} /> },
              { title: 'Expires', cell: (session) => <TimeAgo time={session.ends_at} /> },
              {
                title: 'Action',
                isTitleHidden: true,
                cell: (session) =>
                  !session.current && (
                    <button
                      type="button"
                      class="quiet danger"
                      aria-label={`Sign out ${describeUserAgent(session.agent)}`}
                      onClick={() => void end(session)}
                    >
                      Sign out
                    </button>
                  ),
              },
            ]}
          />
        )}
      </AsyncContent>
      <ApiCall
        endpoint="session.listSessions"
        otherCalls={[
          ['session.revokeSession', { sessionId: sessions.value?.sessions[0]?.id ?? '' }],
          ['session.revokeAllSessions'],
          ['session.getSession'],
        ]}
      />
    </section>
  );
}

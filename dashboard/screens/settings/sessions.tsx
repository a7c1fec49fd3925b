import { type ResponseOf, owner } from '#dashboard/api/api.ts';
import { confirm } from '#dashboard/components/confirm.tsx';
import { Icon } from '#dashboard/components/icon.tsx';
import { showMessage, withErrorMessage } from '#dashboard/components/messages.tsx';
import { AsyncContent } from '#dashboard/components/async-content.tsx';
import { Table } from '#dashboard/components/table.tsx';
import { TimeAgo } from '#dashboard/components/time.tsx';
import { useAsync } from '#dashboard/components/use-async.ts';
import { hasDeveloperTools } from '#dashboard/current-account.ts';
import { describeUserAgent } from '#dashboard/components/user-agent.ts';
import { leaveSession } from '#dashboard/session.ts';
import { t } from '#dashboard/translate.ts';

type Session = ResponseOf<typeof owner.sessions.listSessions>['sessions'][number];

const METHOD_LABELS: Readonly<Record<string, string>> = {
  link: t('Login link'),
  key: t('API key'),
  passkey: t('Passkey'),
  oidc: t('Single sign-on'),
};

const COMPUTER_ICON = 'M3 3h10v7.5H3zM1.5 13h13';
const PHONE_ICON = 'M4.5 1.5h7v13h-7zM7.5 12.5h1';

export function Sessions() {
  const sessions = useAsync(() => owner.sessions.listSessions());
  const end = async ({ id: session_id, agent }: Session) => {
    if (!(await withErrorMessage(owner.sessions.revokeSession({ session_id })))) return;
    showMessage(t('Signed out {device}.', { device: describeUserAgent(agent) }));
    sessions.reload();
  };
  return (
    <section class="card">
      <div class="card-head">
        <h2>
          {t('Sessions')}
          {sessions.value && <span class="count">{sessions.value.sessions.length}</span>}
        </h2>
        <button type="button" onClick={() => void endAll()}>
          {t('Sign out everywhere')}
        </button>
      </div>
      <AsyncContent state={sessions}>
        {({ sessions: list }) => (
          <SessionTable sessions={list} onEnd={(session) => void end(session)} />
        )}
      </AsyncContent>
    </section>
  );
}

async function endAll(): Promise<void> {
  const isConfirmed = await confirm({
    title: t('Sign out everywhere?'),
    text: hasDeveloperTools.value
      ? t('Every browser is signed out, including this one. Keys keep working.')
      : t('Every browser is signed out, including this one.'),
    action: t('Sign out everywhere'),
  });
  if (isConfirmed && (await withErrorMessage(owner.sessions.revokeAllSessions()))) leaveSession();
}

function SessionTable({
  sessions,
  onEnd,
}: {
  sessions: readonly Session[];
  onEnd: (session: Session) => void;
}) {
  return (
    <Table
      caption={t('Sessions')}
      rows={sessions}
      rowKey={({ id: session_id }) => session_id}
      columns={[
        { title: t('Device'), cell: (session) => <Device {...session} /> },
        { title: t('Signed in with'), cell: ({ via }) => METHOD_LABELS[via] ?? via },
        { title: t('Signed in'), cell: (session) => <TimeAgo time={session.created_at} /> },
        { title: t('Last active'), cell: (session) => <TimeAgo time={session.last_seen_at} /> },
        { title: t('Expires'), cell: (session) => <TimeAgo time={session.ends_at} /> },
        {
          title: t('Action'),
          isTitleHidden: true,
          cell: (session) =>
            !session.current && (
              <button
                type="button"
                class="quiet danger"
                aria-label={t('Sign out {device}', { device: describeUserAgent(session.agent) })}
                onClick={() => onEnd(session)}
              >
                {t('Sign out')}
              </button>
            ),
        },
      ]}
    />
  );
}

function Device({ agent, current }: Session) {
  const isPhone = /Mobi|Android|iPad/.test(agent ?? '');
  return (
    <div class="settings-name" title={agent ?? undefined}>
      <span class={current ? 'tile good' : 'tile'}>
        <Icon path={isPhone ? PHONE_ICON : COMPUTER_ICON} />
      </span>
      <span class="row">
        <span class="strong">{describeUserAgent(agent)}</span>
        {current && <span class="pill good">{t('This device')}</span>}
      </span>
    </div>
  );
}

import { type ResponseOf, owner } from '#dashboard/api/api.ts';
import { AsyncContent } from '#dashboard/components/async-content.tsx';
import { confirm } from '#dashboard/components/confirm.tsx';
import { ListRow } from '#dashboard/components/list-row.tsx';
import { showMessage, withErrorMessage } from '#dashboard/components/messages.tsx';
import { TimeAgo } from '#dashboard/components/time.tsx';
import { useAsync } from '#dashboard/components/use-async.ts';
import { describeUserAgent } from '#dashboard/components/user-agent.ts';
import { hasDeveloperTools } from '#dashboard/current-account.ts';
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
          <ul>
            {list.toSorted(byCurrentFirst).map((session) => (
              <SessionRow key={session.id} session={session} onEnd={() => void end(session)} />
            ))}
          </ul>
        )}
      </AsyncContent>
    </section>
  );
}

function byCurrentFirst(one: Session, other: Session): number {
  return Number(other.current) - Number(one.current);
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

function SessionRow({ session, onEnd }: { session: Session; onEnd: () => void }) {
  const { agent, current, via } = session;
  const isPhone = /Mobi|Android|iPad/.test(agent ?? '');
  const device = describeUserAgent(agent);
  return (
    <ListRow
      icon={isPhone ? PHONE_ICON : COMPUTER_ICON}
      tone={current ? 'good' : ''}
      title={
        <span class="row" title={agent ?? undefined}>
          {device}
          {current && <span class="pill good">{t('This device')}</span>}
        </span>
      }
      text={t.rich('{method}, <start></start> · active <seen></seen>', {
        method: METHOD_LABELS[via] ?? via,
        start: () => <TimeAgo time={session.created_at} />,
        seen: () => <TimeAgo time={session.last_seen_at} />,
      })}
      actions={
        !current && (
          <button
            type="button"
            class="quiet danger"
            aria-label={t('Sign out {device}', { device })}
            onClick={onEnd}
          >
            {t('Sign out')}
          </button>
        )
      }
    />
  );
}

import { APIError } from '#client/errors.ts';
import { type ResponseOf, owner } from '#dashboard/api/api.ts';
import { AsyncContent, Empty } from '#dashboard/components/async-content.tsx';
import { Face } from '#dashboard/components/face.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { withErrorMessage } from '#dashboard/components/messages.tsx';
import { ScreenHeader } from '#dashboard/components/screen-header.tsx';
import { useAsync } from '#dashboard/components/use-async.ts';
import { accountTitle, handleOf, keepTitle, loadKeptAccounts } from '#dashboard/kept-accounts.ts';
import { actingFor, fragment, navigate, pathFor } from '#dashboard/router.ts';
import { currentAccountId } from '#dashboard/session.ts';
import { t } from '#dashboard/translate.ts';
import { KeeperRights } from './keeper-rights.tsx';

type Read = ResponseOf<typeof owner.keepers.getKeeperInvitation>;

function ignoreEnded(error: unknown): undefined {
  if (error instanceof APIError && error.code === 'invitationNotFound') return undefined;
  throw error;
}

/** A mailed invitation, which may be for another account, or all that wait for this one. */
export function Keep() {
  const token = fragment.value;
  const state = useAsync(async () => {
    // Who acts for another account can answer in the dashboard of the own one only.
    if (actingFor !== undefined) await new Promise(() => navigate(`/dashboard/keep#${token}`));
    const { accounts, invitations } = await loadKeptAccounts();
    const me = accounts[0]!;
    const mailed = token
      ? await owner.keepers.getKeeperInvitation({ invitation_url: token }).catch(ignoreEnded)
      : undefined;
    const read = mailed ? [mailed] : invitations.map((invitation) => ({ invitation, keeper: me }));
    return { me, read };
  }, [token]);
  return (
    <>
      <ScreenHeader title={t('Invitations to keep an account')} />
      <AsyncContent state={state}>
        {({ me, read }) =>
          read.length === 0 ? (
            <section class="card">
              <Empty icon={ICON_PATHS.user} title={t('No invitation waits for you')}>
                <p class="muted">{t('It may have ended, or been withdrawn. Ask for a new one.')}</p>
              </Empty>
            </section>
          ) : (
            read.map((each) => (
              <Invitation key={each.invitation.id} {...each} me={me} onAnswer={state.reload} />
            ))
          )
        }
      </AsyncContent>
    </>
  );
}

function Invitation({
  invitation: { id, account, invited_by },
  keeper,
  me,
  onAnswer,
}: Read & { me: Read['keeper']; onAnswer: () => void }) {
  const isMine = keeper.id === currentAccountId.value;
  const answer = async (accept: boolean) => {
    const answered = owner.keepers.acceptKeeperInvitation({ invitation_id: id, accept });
    if (!(await withErrorMessage(answered))) return;
    if (accept) location.assign(pathFor(account.id));
    else onAnswer();
  };
  const switchAccount = async () => {
    if (await withErrorMessage(owner.sessions.revokeCurrentSession())) location.reload();
  };
  return (
    <section class="card">
      <div class="kept-faces">
        <Face url={account.avatar_url} name={account.display_name ?? ''} />
        <Face url={keeper.avatar_url} name={keeper.display_name ?? ''} />
        {!isMine && <Face url={me.avatar_url} name={me.display_name ?? ''} />}
      </div>
      <h2>{keepTitle(account, invited_by)}</h2>
      {isMine ? (
        <>
          <p class="muted">{t('You keep your own account, and can leave at any time.')}</p>
          <KeeperRights />
          <div class="actions">
            <button type="button" class="quiet" onClick={() => void answer(false)}>
              {t('No, thanks')}
            </button>
            <button type="button" class="primary" onClick={() => void answer(true)}>
              {t('Accept')}
            </button>
          </div>
        </>
      ) : (
        <>
          <p>
            {t('This invitation is for {name}. You are signed in as {me}.', {
              name: handleOf(keeper) || accountTitle(keeper),
              me: handleOf(me) || accountTitle(me),
            })}
          </p>
          <div class="actions">
            <button type="button" class="primary" onClick={() => void switchAccount()}>
              {t('Switch')}
            </button>
          </div>
        </>
      )}
    </section>
  );
}

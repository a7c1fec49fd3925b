import { owner } from '#dashboard/api/api.ts';
import { Empty, AsyncContent } from '#dashboard/components/async-content.tsx';
import { Dialog } from '#dashboard/components/dialog.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { Icon } from '#dashboard/components/icon.tsx';
import { withErrorMessage } from '#dashboard/components/messages.tsx';
import { useAsync } from '#dashboard/components/use-async.ts';
import { dashboardHref, navigate, query } from '#dashboard/router.ts';
import { requireRecentLogin, ssoProvider } from '#dashboard/session.ts';
import { t } from '#dashboard/translate.ts';
import { LoginMethods } from './login-methods.tsx';

/**
 * Single sign-on logins of the account. Hidden if there are none and the server has no provider.
 */
export function Identities() {
  const loaded = useAsync(() => owner.identities.listIdentities());
  const linkedIdentities = loaded.value?.identities ?? [];
  if (ssoProvider === undefined && linkedIdentities.length === 0) return null;
  return (
    <section class="card">
      <div class="card-head">
        <h2>{t('Single sign-on')}</h2>
        {ssoProvider !== undefined && linkedIdentities.length === 0 && (
          <button type="button" onClick={() => navigate('settings?link', { replace: true })}>
            <Icon path={ICON_PATHS.link} />
            {t('Link {provider}', { provider: ssoProvider })}
          </button>
        )}
      </div>
      <AsyncContent state={loaded}>
        {({ identities }) =>
          identities.length === 0 ? (
            <Empty icon={ICON_PATHS.user} title={t('No login linked yet')}>
              <p class="muted">
                {t('Sign in with {provider}. No password.', { provider: ssoProvider ?? '' })}
              </p>
            </Empty>
          ) : (
            <LoginMethods
              methods={identities}
              nameOf={({ label, issuer }) => label ?? new URL(issuer).host}
              icon={ICON_PATHS.user}
              addedTitle={t('Linked')}
              detailOf={({ issuer }) => new URL(issuer).host}
              action={t('Unlink')}
              textsFor={(name) => ({
                label: t('Unlink {name}', { name }),
                question: t('Unlink {name}?', { name }),
                done: t('Unlinked {name}.', { name }),
              })}
              remove={({ id: identity_id }) => owner.identities.deleteIdentity({ identity_id })}
              onRemoved={loaded.reload}
            />
          )
        }
      </AsyncContent>
      {ssoProvider !== undefined && query.value.has('link') && (
        <LinkDialog provider={ssoProvider} />
      )}
    </section>
  );
}

function LinkDialog({ provider }: { provider: string }) {
  const close = () => navigate('settings', { replace: true });
  const open = async () => {
    if (await withErrorMessage(requireRecentLogin()))
      location.assign(dashboardHref('sign-on?for=link'));
  };
  return (
    <Dialog title={t('Link {provider}', { provider })} onCancel={close}>
      <p>{t('You will sign in at {provider} and come back here.', { provider })}</p>
      <div class="actions">
        <button type="button" class="quiet" onClick={close}>
          {t('Cancel')}
        </button>
        <button type="button" class="primary" onClick={() => void open()}>
          {t('Continue to {provider}', { provider })}
        </button>
      </div>
    </Dialog>
  );
}

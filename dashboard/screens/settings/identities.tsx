import { type ResponseOf, owner } from '#dashboard/api/api.ts';
import { RequireRecentLogin } from '#dashboard/sign-in/require-recent-login.tsx';
import { confirm } from '#dashboard/components/confirm.tsx';
import { Dialog } from '#dashboard/components/dialog.tsx';
import { Icon } from '#dashboard/components/icon.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { showMessage, withErrorMessage } from '#dashboard/components/messages.tsx';
import { Empty, AsyncContent } from '#dashboard/components/async-content.tsx';
import { Table } from '#dashboard/components/table.tsx';
import { TimeAgo, LocalDate } from '#dashboard/components/time.tsx';
import { useAsync } from '#dashboard/components/use-async.ts';
import { dashboardHref, navigate, query } from '#dashboard/router.ts';
import { ssoProvider } from '#dashboard/session.ts';
import { t } from '#dashboard/translate.ts';

type Identity = ResponseOf<typeof owner.identities.listIdentities>['identities'][number];

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
            <IdentityTable identities={identities} onUnlinked={loaded.reload} />
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
  return (
    <Dialog title={t('Link {provider}', { provider })} onCancel={close}>
      <RequireRecentLogin onCancel={close}>
        <p>{t('You will sign in at {provider} and come back here.', { provider })}</p>
        <div class="actions">
          <button type="button" class="quiet" onClick={close}>
            {t('Cancel')}
          </button>
          <a class="button primary" href={dashboardHref('sign-on?for=link')} target="_self">
            {t('Continue to {provider}', { provider })}
          </a>
        </div>
      </RequireRecentLogin>
    </Dialog>
  );
}

const nameOf = ({ label, issuer }: Identity) => label ?? new URL(issuer).host;

async function unlink(identity: Identity, onUnlinked: () => void): Promise<void> {
  const name = nameOf(identity);
  const isConfirmed = await confirm({
    title: t('Unlink {name}?', { name }),
    text: t('You can no longer sign in with it, and its sessions end.'),
    action: t('Unlink'),
  });
  if (!isConfirmed) return;
  const { identity_id } = identity;
  if (!(await withErrorMessage(owner.identities.unlinkIdentity({ identity_id })))) return;
  showMessage(t('Unlinked {name}.', { name }));
  onUnlinked();
}

function IdentityTable({
  identities,
  onUnlinked,
}: {
  identities: readonly Identity[];
  onUnlinked: () => void;
}) {
  return (
    <Table
      caption={t('Single sign-on')}
      rows={identities}
      keyOf={({ identity_id }) => identity_id}
      columns={[
        {
          title: t('Login'),
          cell: (identity) => (
            <div class="settings-name">
              <span class="tile">
                <Icon path={ICON_PATHS.user} />
              </span>
              <span class="strong">{nameOf(identity)}</span>
            </div>
          ),
        },
        { title: t('Provider'), cell: ({ issuer }) => new URL(issuer).host },
        { title: t('Linked'), cell: (identity) => <LocalDate time={identity.created_at} /> },
        {
          title: t('Last used'),
          cell: ({ last_used_at: last }) =>
            last === null ? t('Never used') : <TimeAgo time={last} />,
        },
        {
          title: t('Action'),
          isTitleHidden: true,
          cell: (identity) => (
            <button
              type="button"
              class="quiet danger"
              aria-label={t('Unlink {name}', { name: nameOf(identity) })}
              onClick={() => void unlink(identity, onUnlinked)}
            >
              {t('Unlink')}
            </button>
          ),
        },
      ]}
    />
  );
}

import { type Answer, owner } from '#dashboard/api/api.ts';
import { Proven } from '#dashboard/entry/proven.tsx';
import { ApiCall } from '#dashboard/parts/api-call.tsx';
import { confirm } from '#dashboard/parts/confirm.tsx';
import { Dialog } from '#dashboard/parts/dialog.tsx';
import { Icon } from '#dashboard/parts/icon.tsx';
import { LINES } from '#dashboard/parts/icon-lines.ts';
import { say, showing } from '#dashboard/parts/messages.tsx';
import { Empty, Show } from '#dashboard/parts/states.tsx';
import { Table } from '#dashboard/parts/table.tsx';
import { Ago, Day } from '#dashboard/parts/time.tsx';
import { useLoaded } from '#dashboard/parts/use-loaded.ts';
import { addressOf, go, query } from '#dashboard/router.ts';
import { signOn } from '#dashboard/session.ts';

type Identity = Answer<typeof owner.identities.listIdentities>['identities'][number];

/** Users of single sign-on who can sign in to the account; nothing where the server has no provider. */
export function Identities() {
  const loaded = useLoaded(() => owner.identities.listIdentities());
  const list = loaded.value?.identities ?? [];
  const call = (
    <ApiCall
      endpoint="identities.listIdentities"
      also={[['identities.unlinkIdentity', { identityId: list[0]?.id ?? '' }]]}
    />
  );
  if (signOn === undefined && list.length === 0) return call;
  return (
    <section class="card">
      <div class="card-head">
        <h2>Single sign-on</h2>
        {signOn !== undefined && list.length === 0 && (
          <button type="button" onClick={() => go('security?link', { replace: true })}>
            <Icon lines={LINES.link} />
            Link {signOn}
          </button>
        )}
      </div>
      <Show loaded={loaded}>
        {({ identities }) =>
          identities.length === 0 ? (
            <Empty icon={LINES.user} title="No login linked yet">
              <p class="muted">Sign in with {signOn} instead of a key.</p>
            </Empty>
          ) : (
            <IdentityTable identities={identities} onUnlinked={loaded.reload} />
          )
        }
      </Show>
      {signOn !== undefined && query.value.has('link') && <LinkDialog provider={signOn} />}
      {call}
    </section>
  );
}

function LinkDialog({ provider }: { provider: string }) {
  const close = () => go('security', { replace: true });
  return (
    <Dialog title={`Link ${provider}`} onCancel={close}>
      <Proven to={`link ${provider}`} onCancel={close}>
        <p>You will sign in at {provider} and come back here.</p>
        <div class="actions">
          <button type="button" class="quiet" onClick={close}>
            Cancel
          </button>
          <a class="button primary" href={addressOf('sign-on?for=link')} target="_self">
            Continue to {provider}
          </a>
        </div>
      </Proven>
    </Dialog>
  );
}

function IdentityTable({
  identities,
  onUnlinked,
}: {
  identities: readonly Identity[];
  onUnlinked: () => void;
}) {
  const nameOf = ({ label, issuer }: Identity) => label ?? new URL(issuer).host;
  const unlink = async (identity: Identity) => {
    const isSure = await confirm({
      title: `Unlink ${nameOf(identity)}?`,
      text: 'You can no longer sign in with it, and its sessions end.',
      action: 'Unlink',
    });
    if (!isSure) return;
    const identityId = identity.id;
    if (!(await showing(owner.identities.unlinkIdentity({ identityId })))) return;
    say(`Unlinked ${nameOf(identity)}.`);
    onUnlinked();
  };
  return (
    <Table
      caption="Single sign-on"
      rows={identities}
      keyOf={({ id }) => id}
      columns={[
        {
          title: 'Login',
          cell: (identity) => (
            <div class="security-name">
              <span class="tile">
                <Icon lines={LINES.user} />
              </span>
              <span class="strong">{nameOf(identity)}</span>
            </div>
          ),
        },
        { title: 'Provider', cell: ({ issuer }) => new URL(issuer).host },
        { title: 'Linked', cell: (identity) => <Day time={identity.created_at} /> },
        {
          title: 'Last used',
          cell: ({ last_used_at: last }) => (last === null ? 'Never used' : <Ago time={last} />),
        },
        {
          title: 'Action',
          isUntitled: true,
          cell: (identity) => (
            <button
              type="button"
              class="quiet danger"
              aria-label={`Unlink ${nameOf(identity)}`}
              onClick={() => void unlink(identity)}
            >
              Unlink
            </button>
          ),
        },
      ]}
    />
  );
}

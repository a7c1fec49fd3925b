import { useSignal } from '@preact/signals';
import { LIMITS } from '#contract/shared/limits.ts';
import { type ResponseOf, owner } from '#dashboard/api/api.ts';
import { AsyncContent } from '#dashboard/components/async-content.tsx';
import { Face } from '#dashboard/components/face.tsx';
import { BoundField } from '#dashboard/components/field.tsx';
import { Form } from '#dashboard/components/form.tsx';
import { ListRow } from '#dashboard/components/list-row.tsx';
import { showMessage } from '#dashboard/components/messages.tsx';
import { ScreenHeader } from '#dashboard/components/screen-header.tsx';
import { useAsync } from '#dashboard/components/use-async.ts';
import { accountTitle, handleOf } from '#dashboard/kept-accounts.ts';
import { actingFor } from '#dashboard/router.ts';
import { currentAccountId } from '#dashboard/session.ts';
import { t } from '#dashboard/translate.ts';
import { handOver, leave, remove, withdraw } from './keeper-actions.tsx';
import { KeeperRights } from './keeper-rights.tsx';

type Loaded = ResponseOf<typeof owner.keepers.listKeepers>;
export type Keeper = Loaded['keepers'][number];
type Invitation = Loaded['invitations'][number];

export function Keepers() {
  const state = useAsync(() => owner.keepers.listKeepers());
  return (
    <>
      <ScreenHeader
        title={t('Keepers')}
        parent={{ title: t('Settings'), path: 'settings' }}
        subtitle={t('People who look after this account with you.')}
      />
      <div class="main-and-side">
        <div>
          <AsyncContent state={state}>
            {(loaded) => <KeeperList {...loaded} onChange={state.reload} />}
          </AsyncContent>
        </div>
        <div>
          <section class="card">
            <h2>{t('What keepers can do')}</h2>
            <KeeperRights />
          </section>
        </div>
      </div>
    </>
  );
}

const isMe = ({ account_id }: Keeper) => account_id === currentAccountId.value;

function KeeperList({ keepers, invitations, onChange }: Loaded & { onChange: () => void }) {
  const isOwner = keepers.some((keeper) => isMe(keeper) && keeper.owner);
  return (
    <section class="card">
      <h2>
        {t('Keepers')}
        <span class="count">{keepers.length}</span>
      </h2>
      <ul>
        {keepers.map((keeper) => (
          <KeeperRow
            key={keeper.account_id}
            keeper={keeper}
            others={keepers.filter((other) => other !== keeper)}
            isOwner={isOwner}
            onChange={onChange}
          />
        ))}
        {invitations.map((invitation) => (
          <InvitationRow key={invitation.id} invitation={invitation} onChange={onChange} />
        ))}
      </ul>
      {isOwner && actingFor && keepers.every((keeper) => isMe(keeper) || keeper.suspended) && (
        <p class="hint">{t('To leave, first invite somebody and hand the account over.')}</p>
      )}
      {isOwner && keepers.length + invitations.length < LIMITS.keepers && (
        <InviteForm onInvited={onChange} />
      )}
    </section>
  );
}

interface RowProps {
  keeper: Keeper;
  others: Keeper[];
  isOwner: boolean;
  onChange: () => void;
}

function KeeperRow({ keeper, others, isOwner, onChange }: RowProps) {
  const { owner: isTheOwner, suspended, keys, connections } = keeper;
  const made = [
    (isMe(keeper) || keeper.page_title !== null) && handleOf(keeper),
    keys.length > 0 && t('{count, plural, one {# key} other {# keys}}', { count: keys.length }),
    connections.length > 0 &&
      t('{count, plural, one {# connection} other {# connections}}', { count: connections.length }),
  ];
  return (
    <ListRow
      sign={<Face url={keeper.avatar_url} name={keeper.display_name ?? ''} />}
      title={
        <span class="row">
          {isMe(keeper) ? t('You') : accountTitle(keeper)}
          {isTheOwner && <span class="pill">{t('Owner')}</span>}
          {suspended && <span class="pill warn">{t('Suspended')}</span>}
        </span>
      }
      text={made.filter(Boolean).join(' · ')}
      actions={<KeeperAction {...{ keeper, others, isOwner, onChange }} />}
    />
  );
}

function KeeperAction({ keeper, others, isOwner, onChange }: RowProps) {
  const title = accountTitle(keeper);
  const usable = others.filter(({ suspended }) => !suspended);
  if (keeper.owner)
    return isOwner && usable.length > 0 ? (
      <button type="button" class="quiet" onClick={() => void handOver(usable, onChange)}>
        {t('Hand over')}
      </button>
    ) : null;
  if (isMe(keeper))
    return (
      <button type="button" class="quiet danger" onClick={() => void leave(keeper)}>
        {t('Leave')}
      </button>
    );
  if (!isOwner) return null;
  return (
    <button
      type="button"
      class="quiet danger"
      aria-label={t('Remove {name}', { name: title })}
      onClick={() => void remove(keeper, usable, onChange)}
    >
      {t('Remove')}
    </button>
  );
}

function InvitationRow({ invitation, onChange }: { invitation: Invitation; onChange: () => void }) {
  return (
    <ListRow
      sign={<Face url={invitation.avatar_url} name={invitation.display_name ?? ''} />}
      title={
        <span class="row">
          {accountTitle(invitation)}
          <span class="pill">{t('Waiting')}</span>
        </span>
      }
      text={invitation.page_title !== null && handleOf(invitation)}
      actions={
        <button
          type="button"
          class="quiet"
          aria-label={t('Withdraw the invitation of {name}', { name: accountTitle(invitation) })}
          onClick={() => void withdraw(invitation, onChange)}
        >
          {t('Withdraw')}
        </button>
      }
    />
  );
}

function InviteForm({ onInvited }: { onInvited: () => void }) {
  const name = useSignal('');
  const invite = async () => {
    const { invitation } = await owner.keepers.inviteKeeper({ display_name: name.value.trim() });
    name.value = '';
    showMessage(t('Invited {name}.', { name: accountTitle(invitation) }));
    onInvited();
  };
  return (
    <Form
      fields={['display_name']}
      submitLabel={t('Invite')}
      isPrimary={false}
      isDisabled={name.value.trim() === ''}
      onSubmit={invite}
    >
      <BoundField
        signal={name}
        name="display_name"
        label={t('Invite a member')}
        prefix="@"
        hint={t(
          'Their name here, such as @dan. They keep their own account, and can leave again at any time.',
        )}
        autocomplete="off"
        spellcheck={false}
      />
    </Form>
  );
}

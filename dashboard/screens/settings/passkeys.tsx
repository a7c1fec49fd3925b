import { useSignal } from '@preact/signals';
import { type ResponseOf, owner } from '#dashboard/api/api.ts';
import { canUsePasskeys, createPasskey, PASSKEY_EXPLANATION } from '#dashboard/api/passkeys.ts';
import { RequireRecentLogin } from '#dashboard/sign-in/require-recent-login.tsx';
import { describeUserAgent } from '#dashboard/components/user-agent.ts';
import { confirm } from '#dashboard/components/confirm.tsx';
import { Dialog } from '#dashboard/components/dialog.tsx';
import { BoundField } from '#dashboard/components/field.tsx';
import { Form } from '#dashboard/components/form.tsx';
import { Icon } from '#dashboard/components/icon.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { showMessage, withErrorMessage } from '#dashboard/components/messages.tsx';
import { Empty, AsyncContent } from '#dashboard/components/async-content.tsx';
import { Table } from '#dashboard/components/table.tsx';
import { TimeAgo, LocalDate } from '#dashboard/components/time.tsx';
import { useAsync } from '#dashboard/components/use-async.ts';
import { isOperator } from '#dashboard/current-account.ts';
import { navigate, query } from '#dashboard/router.ts';
import { t } from '#dashboard/translate.ts';

const HTTPS_NEEDED = t('Browsers allow passkeys only over HTTPS, or at http://localhost.');
const UNAVAILABLE = t('Passkeys do not work at this address. Ask your administrator.');

type Passkey = ResponseOf<typeof owner.passkeys.listPasskeys>['passkeys'][number];

export function Passkeys() {
  const passkeys = useAsync(() => owner.passkeys.listPasskeys());
  const isAdding = canUsePasskeys && query.value.has('passkey');
  const close = () => navigate('settings', { replace: true });
  const count = passkeys.value?.passkeys.length;
  const unavailable = isOperator.value ? HTTPS_NEEDED : UNAVAILABLE;
  return (
    <section class="card">
      <div class="card-head">
        <h2>
          {t('Passkeys')}
          {count ? <span class="count">{count}</span> : null}
        </h2>
        {canUsePasskeys && (
          <button type="button" onClick={() => navigate('settings?passkey', { replace: true })}>
            <Icon path={ICON_PATHS.plus} />
            {t('Add passkey')}
          </button>
        )}
      </div>
      <AsyncContent state={passkeys}>
        {({ passkeys: list }) =>
          list.length === 0 ? (
            <Empty icon={ICON_PATHS.passkey} title={t('No passkeys yet')}>
              <p class="muted">{canUsePasskeys ? PASSKEY_EXPLANATION : unavailable}</p>
            </Empty>
          ) : (
            <PasskeyTable passkeys={list} onRemoved={passkeys.reload} />
          )
        }
      </AsyncContent>
      {!canUsePasskeys && count ? <p class="hint">{unavailable}</p> : null}
      {isAdding && (
        <Dialog title={t('Add passkey')} onCancel={close}>
          <RequireRecentLogin onCancel={close}>
            <NewPasskey
              onCancel={close}
              onCreated={() => {
                close();
                passkeys.reload();
              }}
            />
          </RequireRecentLogin>
        </Dialog>
      )}
    </section>
  );
}

const nameOf = ({ label, passkey_id }: Passkey) =>
  label ?? t('Passkey {id}', { id: passkey_id.slice(0, 8) });

async function remove(passkey: Passkey, onRemoved: () => void): Promise<void> {
  const name = nameOf(passkey);
  const isConfirmed = await confirm({
    title: t('Remove {name}?', { name }),
    text: t('You can no longer sign in with it, and its sessions end.'),
    action: t('Remove'),
  });
  if (!isConfirmed) return;
  const { passkey_id } = passkey;
  if (!(await withErrorMessage(owner.passkeys.removePasskey({ passkey_id })))) return;
  showMessage(t('Removed {name}.', { name }));
  onRemoved();
}

function PasskeyTable({
  passkeys,
  onRemoved,
}: {
  passkeys: readonly Passkey[];
  onRemoved: () => void;
}) {
  return (
    <Table
      caption={t('Passkeys')}
      rows={passkeys}
      keyOf={({ passkey_id }) => passkey_id}
      columns={[
        {
          title: t('Passkey'),
          cell: (passkey) => (
            <div class="settings-name">
              <span class="tile">
                <Icon path={ICON_PATHS.passkey} />
              </span>
              <span class="strong">{nameOf(passkey)}</span>
            </div>
          ),
        },
        { title: t('Added'), cell: (passkey) => <LocalDate time={passkey.created_at} /> },
        {
          title: t('Last used'),
          cell: ({ last_used_at: last }) =>
            last === null ? t('Never used') : <TimeAgo time={last} />,
        },
        {
          title: t('Action'),
          isTitleHidden: true,
          cell: (passkey) => (
            <button
              type="button"
              class="quiet danger"
              aria-label={t('Remove {name}', { name: nameOf(passkey) })}
              onClick={() => void remove(passkey, onRemoved)}
            >
              {t('Remove')}
            </button>
          ),
        },
      ]}
    />
  );
}

/** Name of a passkey if the user enters none. */
const defaultName = describeUserAgent(navigator.userAgent);

function NewPasskey({ onCreated, onCancel }: { onCreated: () => void; onCancel: () => void }) {
  const label = useSignal('');
  return (
    <Form
      fields={['label']}
      submitLabel={t('Continue')}
      onCancel={onCancel}
      onSubmit={async () => {
        const { options } = await owner.passkeys.beginRegistration();
        const credential = await createPasskey(options);
        await owner.passkeys.register({
          answer: credential,
          label: label.value.trim() || defaultName,
        });
        showMessage(t('You can now sign in with this passkey.'));
        onCreated();
      }}
    >
      <BoundField
        signal={label}
        name="label"
        label={t('Name')}
        placeholder={defaultName}
        maxLength={200}
        hint={t('Next, your browser asks where to keep the passkey.')}
      />
    </Form>
  );
}

import { useSignal } from '@preact/signals';
import { type Answer, owner } from '#dashboard/api/api.ts';
import { hasPasskeys, makePasskey } from '#dashboard/api/passkeys.ts';
import { Proven } from '#dashboard/entry/proven.tsx';
import { agentWords } from '#dashboard/parts/agent-words.ts';
import { ApiCall } from '#dashboard/parts/api-call.tsx';
import { confirm } from '#dashboard/parts/confirm.tsx';
import { Dialog } from '#dashboard/parts/dialog.tsx';
import { Bound } from '#dashboard/parts/field.tsx';
import { Form } from '#dashboard/parts/form.tsx';
import { Icon } from '#dashboard/parts/icon.tsx';
import { LINES } from '#dashboard/parts/icon-lines.ts';
import { say, showing } from '#dashboard/parts/messages.tsx';
import { Empty, Show } from '#dashboard/parts/states.tsx';
import { Table } from '#dashboard/parts/table.tsx';
import { Ago, Day } from '#dashboard/parts/time.tsx';
import { useLoaded } from '#dashboard/parts/use-loaded.ts';
import { go, query } from '#dashboard/router.ts';

const NEEDS_HTTPS = 'Browsers allow passkeys only over HTTPS, or at http://localhost.';

type Passkey = Answer<typeof owner.passkeys.listPasskeys>['passkeys'][number];

/** Passkeys, which sign in without a link or a key: a phone, this computer, a security key. */
export function Passkeys() {
  const passkeys = useLoaded(() => owner.passkeys.listPasskeys());
  const isAdding = hasPasskeys && query.value.has('passkey');
  const close = () => go('security', { replace: true });
  const count = passkeys.value?.passkeys.length;
  return (
    <section class="card">
      <div class="card-head">
        <h2>
          Passkeys
          {count ? <span class="count">{count}</span> : null}
        </h2>
        {hasPasskeys && (
          <button type="button" onClick={() => go('security?passkey', { replace: true })}>
            <Icon lines={LINES.plus} />
            Add passkey
          </button>
        )}
      </div>
      <Show loaded={passkeys}>
        {({ passkeys: list }) =>
          list.length === 0 ? (
            <Empty icon={LINES.passkey} title="No passkeys yet">
              <p class="muted">
                {hasPasskeys
                  ? 'Sign in with your fingerprint, your face or a PIN instead of a key.'
                  : NEEDS_HTTPS}
              </p>
            </Empty>
          ) : (
            <PasskeyTable passkeys={list} onRemoved={passkeys.reload} />
          )
        }
      </Show>
      {!hasPasskeys && count ? <p class="hint">{NEEDS_HTTPS}</p> : null}
      {isAdding && (
        <Dialog title="Add passkey" onCancel={close}>
          <Proven to="add a passkey" onCancel={close}>
            <NewPasskey
              onCancel={close}
              onMade={() => {
                close();
                passkeys.reload();
              }}
            />
          </Proven>
        </Dialog>
      )}
      <ApiCall
        endpoint="passkeys.listPasskeys"
        also={[['passkeys.removePasskey', { passkeyId: passkeys.value?.passkeys[0]?.id ?? '…' }]]}
      />
    </section>
  );
}

function PasskeyTable({
  passkeys,
  onRemoved,
}: {
  passkeys: readonly Passkey[];
  onRemoved: () => void;
}) {
  const nameOf = ({ label, id }: Passkey) => label ?? `Passkey ${id.slice(0, 8)}`;
  const remove = async (passkey: Passkey) => {
    const isSure = await confirm({
      title: `Remove ${nameOf(passkey)}?`,
      text: 'You can no longer sign in with it, and its sessions end.',
      action: 'Remove',
    });
    if (!isSure || !(await showing(owner.passkeys.removePasskey({ passkeyId: passkey.id }))))
      return;
    say(`Removed ${nameOf(passkey)}.`);
    onRemoved();
  };
  return (
    <Table
      caption="Passkeys"
      rows={passkeys}
      keyOf={({ id }) => id}
      columns={[
        {
          title: 'Passkey',
          cell: (passkey) => (
            <div class="security-name">
              <span class="tile">
                <Icon lines={LINES.passkey} />
              </span>
              <span class="strong">{nameOf(passkey)}</span>
            </div>
          ),
        },
        { title: 'Added', cell: (passkey) => <Day time={passkey.created_at} /> },
        {
          title: 'Last used',
          cell: ({ last_used_at: last }) => (last === null ? 'Never used' : <Ago time={last} />),
        },
        {
          title: 'Action',
          isUntitled: true,
          cell: (passkey) => (
            <button
              type="button"
              class="quiet danger"
              aria-label={`Remove ${nameOf(passkey)}`}
              onClick={() => void remove(passkey)}
            >
              Remove
            </button>
          ),
        },
      ]}
    />
  );
}

/** The name of a passkey that its owner gives none. */
const thisBrowser = agentWords(navigator.userAgent);

function NewPasskey({ onMade, onCancel }: { onMade: () => void; onCancel: () => void }) {
  const label = useSignal('');
  return (
    <Form
      fields={['label']}
      submit="Continue"
      onCancel={onCancel}
      onSubmit={async () => {
        const { options } = await owner.passkeys.beginRegistration();
        const answer = await makePasskey(options);
        await owner.passkeys.register({ answer, label: label.value.trim() || thisBrowser });
        say('You can now sign in with this passkey.');
        onMade();
      }}
    >
      <Bound
        to={label}
        name="label"
        label="Name"
        placeholder={thisBrowser}
        maxLength={200}
        hint="Your browser asks next where to keep the passkey."
      />
    </Form>
  );
}

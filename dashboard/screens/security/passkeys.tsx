import { useSignal } from '@preact/signals';
import { type Answer, owner } from '../../api/api.ts';
import { hasPasskeys, makePasskey } from '../../api/passkeys.ts';
import { Proven } from '../../entry/proven.tsx';
import { agentWords } from '../../parts/agent-words.ts';
import { ApiCall } from '../../parts/api-call.tsx';
import { confirm } from '../../parts/confirm.tsx';
import { Bound } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { say, showing } from '../../parts/messages.tsx';
import { Empty, Show } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { Ago } from '../../parts/time.tsx';
import { useLoaded } from '../../parts/use-loaded.ts';

type Passkey = Answer<typeof owner.passkeys.listPasskeys>['passkeys'][number];

/** Passkeys, which sign in without a link or a key: a phone, this computer, a security key. */
export function Passkeys() {
  const passkeys = useLoaded(() => owner.passkeys.listPasskeys());
  return (
    <section class="card">
      <h2>Passkeys</h2>
      <Show loaded={passkeys}>
        {({ passkeys: list }) =>
          list.length === 0 ? (
            <Empty title="No passkeys yet">
              <p class="muted">Sign in by fingerprint or PIN instead of a key.</p>
            </Empty>
          ) : (
            <PasskeyTable passkeys={list} onRemoved={passkeys.reload} />
          )
        }
      </Show>
      {hasPasskeys ? (
        <Proven to="add a passkey" isSetup>
          <NewPasskey onMade={passkeys.reload} />
        </Proven>
      ) : (
        <p class="hint">Passkeys need an address that begins with https, or http://localhost.</p>
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
        { title: 'Passkey', cell: nameOf },
        { title: 'Added', cell: (passkey) => <Ago time={passkey.created_at} /> },
        {
          title: 'Last used',
          cell: ({ last_used_at: last }) => (last === null ? 'never' : <Ago time={last} />),
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

function NewPasskey({ onMade }: { onMade: () => void }) {
  const label = useSignal('');
  return (
    <Form
      fields={['label']}
      submit="Add a passkey"
      onSubmit={async () => {
        const { options } = await owner.passkeys.beginRegistration();
        const answer = await makePasskey(options);
        await owner.passkeys.register({ answer, label: label.value.trim() || thisBrowser });
        say('You can now sign in with this passkey.');
        label.value = '';
        onMade();
      }}
    >
      <Bound
        to={label}
        name="label"
        label="Passkey name"
        placeholder={thisBrowser}
        maxLength={200}
      />
    </Form>
  );
}

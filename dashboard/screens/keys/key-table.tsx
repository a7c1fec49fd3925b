import type { Scope } from '../../../contract/scope.ts';
import { type Answer, owner } from '../../api/api.ts';
import { confirm } from '../../parts/confirm.tsx';
import { say, showing } from '../../parts/messages.tsx';
import { Table } from '../../parts/table.tsx';
import { Ago } from '../../parts/time.tsx';

type Key = Answer<typeof owner.keys.listKeys>['keys'][number];

const SCOPES: Readonly<Record<Scope, string>> = {
  all: 'full access',
  read: 'read only',
  metrics: 'send metrics only',
};
/** After so many days without use one is advised to revoke. */
const UNUSED_DAYS = 30;

/** The keys, each with what it may do, its last use, and a button to revoke it. */
export function KeyTable({ keys, onRevoked }: { keys: readonly Key[]; onRevoked: () => void }) {
  const revoke = async (key: Key) => {
    const isSure = await confirm({
      title: `Revoke ${key.label ?? key.key_id}?`,
      text: key.current
        ? 'You signed in with this key, so you will be signed out. Programs that use it stop working at once. You cannot undo this.'
        : 'Programs that use it stop working at once. You cannot undo this.',
      action: 'Revoke',
    });
    if (!isSure || !(await showing(owner.keys.revokeKey({ keyId: key.key_id })))) return;
    say(`Revoked ${key.label ?? key.key_id}.`);
    onRevoked();
  };
  return (
    <Table
      caption="Keys"
      rows={keys}
      keyOf={(key) => key.key_id}
      columns={[
        {
          title: 'Key',
          cell: (key) => (
            <>
              {key.label && <div class="strong">{key.label}</div>}
              <code>{key.key_id}</code>
              {key.current && <span class="hint"> this session</span>}
            </>
          ),
        },
        { title: 'Scope', cell: (key) => SCOPES[key.scope as Scope] },
        { title: 'Created', cell: (key) => <Ago time={key.created_at} /> },
        { title: 'Last used', cell: (key) => <LastUse of={key} /> },
        {
          title: 'Expires',
          cell: (key) => (key.expires_at === null ? 'never' : <Ago time={key.expires_at} />),
        },
        {
          title: 'Action',
          isUntitled: true,
          cell: (key) => (
            <button
              type="button"
              class="quiet danger"
              aria-label={`Revoke ${key.label ?? key.key_id}`}
              onClick={() => void revoke(key)}
            >
              Revoke
            </button>
          ),
        },
      ]}
    />
  );
}

function LastUse({ of: { created_at, last_used_at } }: { of: Key }) {
  const days = (Date.now() - Date.parse(last_used_at ?? created_at)) / 86_400_000;
  return (
    <>
      {last_used_at === null ? 'never' : <Ago time={last_used_at} />}
      {days > UNUSED_DAYS && <div class="hint">Not needed? Revoke it.</div>}
    </>
  );
}

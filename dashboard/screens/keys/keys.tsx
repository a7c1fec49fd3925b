import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { owner } from '#dashboard/api/api.ts';
import { ApiCall, curlOf } from '#dashboard/parts/api-call.tsx';
import { Code } from '#dashboard/parts/code.tsx';
import { Dialog } from '#dashboard/parts/dialog.tsx';
import { Icon } from '#dashboard/parts/icon.tsx';
import { LINES } from '#dashboard/parts/icon-lines.ts';
import { PageTitle } from '#dashboard/parts/page-title.tsx';
import { Empty, Show } from '#dashboard/parts/states.tsx';
import { useLoaded } from '#dashboard/parts/use-loaded.ts';
import { go, query } from '#dashboard/router.ts';
import { CreateKey, type MadeKey } from './create-key.tsx';
import { KeyTable } from './key-table.tsx';
import './keys.css';
import { Copy } from '#dashboard/parts/copy.tsx';

const EXAMPLE = curlOf({ endpoint: 'site.getSiteConfiguration' });

/** The keys of the account: what they may do, when they were used, making and revoking them. */
export function Keys() {
  const keys = useLoaded(() => owner.keys.listKeys());
  const made = useSignal<MadeKey>();
  const isCreating = query.value.has('create');
  const close = () => go('keys', { replace: true });
  return (
    <>
      <PageTitle title="Keys" about="For scripts and servers that use the API.">
        <button
          type="button"
          class={made.value ? undefined : 'primary'}
          onClick={() => go('keys?create', { replace: true })}
        >
          <Icon lines={LINES.plus} />
          Create key
        </button>
      </PageTitle>
      {isCreating && (
        <Dialog title="Create key" onCancel={close}>
          <CreateKey
            onCancel={close}
            onMade={(key) => {
              close();
              made.value = key;
              keys.reload();
            }}
          />
        </Dialog>
      )}
      {made.value && <NewKey made={made.value} onDone={() => (made.value = undefined)} />}
      <section class="card">
        <h2>Your keys{keys.value && <span class="count">{keys.value.keys.length}</span>}</h2>
        <Show loaded={keys}>
          {({ keys: list }) =>
            list.length === 0 ? (
              <Empty icon={LINES.key} title="No keys yet">
                <p class="muted">A script needs one to send metrics or change your page.</p>
              </Empty>
            ) : (
              <KeyTable
                keys={withFirst(list, made.value?.id)}
                newId={made.value?.id}
                onRevoked={keys.reload}
              />
            )
          }
        </Show>
        <ApiCall
          endpoint="keys.listKeys"
          also={[
            ['keys.createKey', { label: 'Status page', scope: 'metrics' }],
            ['keys.revokeKey', { keyId: keys.value?.keys[0]?.key_id ?? 'np_…' }],
          ]}
        />
      </section>
      <section class="card">
        <h2>Use a key</h2>
        <p class="hint">
          Send it in the header X-API-KEY. Keys are stored as hashes, so nobody can read them again.
        </p>
        <Code text={EXAMPLE} label="example" />
      </section>
    </>
  );
}

/** Keys with the one that was just made before all others. */
function withFirst<Key extends { key_id: string }>(keys: readonly Key[], id: string | undefined) {
  return keys.toSorted((a, b) => Number(b.key_id === id) - Number(a.key_id === id));
}

/** Shows the secret of a new key until the owner confirms that they saved it. */
function NewKey({ made: { label, secret }, onDone }: { made: MadeKey; onDone: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => heading.current?.focus(), [secret]);
  return (
    <section class="card new-key">
      <div class="row">
        <span class="tick done">
          <Icon lines={LINES.check} />
        </span>
        <h2 ref={heading} tabIndex={-1}>
          {label || 'Your key'} is ready
        </h2>
      </div>
      <div class="code">
        <code class="secret">{secret}</code>
        <Copy text={secret} label="Copy key" isMain />
      </div>
      <div class="row between">
        <p class="note">
          <Icon lines={LINES.warning} />
          Copy it now. This is the only time the key is shown.
        </p>
        <button type="button" onClick={onDone}>
          I saved it
        </button>
      </div>
    </section>
  );
}

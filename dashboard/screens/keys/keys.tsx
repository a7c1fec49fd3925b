import { useSignal } from '@preact/signals';
import { owner } from '../../api/api.ts';
import { Proven } from '../../entry/proven.tsx';
import { ApiCall } from '../../parts/api-call.tsx';
import { PageTitle } from '../../parts/page-title.tsx';
import { Empty, Show } from '../../parts/states.tsx';
import { useLoaded } from '../../parts/use-loaded.ts';
import { CreateKey } from './create-key.tsx';
import { KeyTable } from './key-table.tsx';
import { NewKey } from './new-key.tsx';

/** The keys of the account: what they may do, when they were used, making and revoking them. */
export function Keys() {
  const keys = useLoaded(() => owner.keys.listKeys());
  const made = useSignal<string>();
  return (
    <>
      <PageTitle title="Keys" />
      {made.value !== undefined && (
        <NewKey secret={made.value} onDone={() => (made.value = undefined)} />
      )}
      <section class="card">
        <h2>Your keys</h2>
        <Show loaded={keys}>
          {({ keys: list }) =>
            list.length === 0 ? (
              <Empty title="No keys yet">
                <p class="muted">Programs need one to send metrics or to change your page.</p>
              </Empty>
            ) : (
              <KeyTable keys={list} onRevoked={keys.reload} />
            )
          }
        </Show>
        <ApiCall
          endpoint="keys.listKeys"
          also={[['keys.revokeKey', { keyId: keys.value?.keys[0]?.key_id ?? 'np_…' }]]}
        />
      </section>
      <section class="card">
        <h2>Create a key</h2>
        <Proven to="create a key" isSetup>
          <CreateKey
            onMade={(secret) => {
              made.value = secret;
              keys.reload();
            }}
          />
        </Proven>
      </section>
    </>
  );
}

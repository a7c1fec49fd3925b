import { useSignal } from '@preact/signals';
import { owner } from '../../api/api.ts';
import { ApiCall } from '../../parts/api-call.tsx';
import { confirm } from '../../parts/confirm.tsx';
import { say, showing } from '../../parts/messages.tsx';
import { Empty, Show } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { Ago } from '../../parts/time.tsx';
import { useLoaded } from '../../parts/use-loaded.ts';
import { draft } from './current-draft.ts';
import { siteOf } from './draft.ts';
import { partWords } from './parts.ts';
import { viewed } from './preview.tsx';

/** Earlier states of the site; each says what it changed, and can be viewed and restored. */
export function Versions({ saved, onView }: { saved: number; onView: () => void }) {
  const isOpen = useSignal(false);
  return (
    <section class="card">
      <details onToggle={(event) => (isOpen.value = event.currentTarget.open)}>
        <summary>
          <h2>Earlier versions</h2>
        </summary>
        {isOpen.value && <List saved={saved} onView={onView} />}
      </details>
    </section>
  );
}

function List({ saved, onView }: { saved: number; onView: () => void }) {
  const versions = useLoaded(() => owner.page.getVersions(), [saved]);
  const back = async (version: number) => {
    const text = 'The current version is kept, too.';
    const yes = await confirm({
      title: `Restore version ${version}?`,
      text: draft.isChanged.peek() ? `Your unsaved changes will be lost. ${text}` : text,
      action: 'Restore',
    });
    if (!yes) return;
    await showing(draft.restore(version).then(() => say(`Restored version ${version}.`)));
    versions.reload();
  };
  const view = async (version: number) => {
    const found = await showing(owner.page.getVersion({ version }));
    if (!found) return;
    viewed.value = { version, site: siteOf(found) };
    onView();
  };
  return (
    <Show loaded={versions}>
      {({ versions: [newest, ...earlier] }) => (
        <>
          {earlier.length === 0 ? (
            <Empty title="No earlier versions" />
          ) : (
            <Table
              caption="Earlier versions of the page"
              rows={earlier}
              keyOf={({ version }) => version}
              columns={[
                { title: 'Version', cell: ({ version }) => version },
                { title: 'Saved', cell: ({ created_at }) => <Ago time={created_at} /> },
                { title: 'Changed', cell: ({ changed }) => partWords(changed) },
                {
                  title: 'Action',
                  cell: ({ version }) => (
                    <div class="row">
                      <button type="button" class="small" onClick={() => void view(version)}>
                        View<span class="unseen"> version {version}</span>
                      </button>
                      <button type="button" class="small" onClick={() => void back(version)}>
                        Restore<span class="unseen"> version {version}</span>
                      </button>
                    </div>
                  ),
                },
              ]}
            />
          )}
          <ApiCall
            endpoint="page.restoreVersion"
            input={{ version: earlier[0]?.version ?? newest?.version ?? 1 }}
            also={[['page.getVersions']]}
          />
        </>
      )}
    </Show>
  );
}

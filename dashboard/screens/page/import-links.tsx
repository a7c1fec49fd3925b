import { useSignal } from '@preact/signals';
import { Dialog } from '../../parts/dialog.tsx';
import { Field } from '../../parts/field.tsx';
import { say } from '../../parts/messages.tsx';
import { type FoundLink, foundLinks } from './found-links.ts';

/** Takes links over from another page, whose source or text is pasted. */
export function ImportLinks({
  free,
  onAdd,
}: {
  /** How many blocks can still be added. */
  free: number;
  onAdd: (links: FoundLink[]) => void;
}) {
  const isOpen = useSignal(false);
  return (
    <>
      <button type="button" class="quiet" onClick={() => (isOpen.value = true)}>
        Import
      </button>
      {isOpen.value && (
        <ImportDialog free={free} onAdd={onAdd} onClose={() => (isOpen.value = false)} />
      )}
    </>
  );
}

function ImportDialog({
  free,
  onAdd,
  onClose,
}: {
  free: number;
  onAdd: (links: FoundLink[]) => void;
  onClose: () => void;
}) {
  const text = useSignal('');
  const left = useSignal<readonly string[]>([]);
  const found = foundLinks(text.value);
  const chosen = found.filter(({ url }) => !left.value.includes(url));
  const add = () => {
    onAdd(chosen);
    say(`${chosen.length} ${chosen.length === 1 ? 'link' : 'links'} added; save to keep them.`);
    onClose();
  };
  return (
    <Dialog title="Import links" onCancel={onClose}>
      <Field
        name="source"
        label="Your other page"
        hint="Paste the source of a Linktree or LittleLink page (press Ctrl+U there), or a list of addresses. It stays in your browser."
        rows={6}
        spellcheck={false}
        value={text.value}
        onValue={(next) => (text.value = next)}
      />
      <p role="status" class="muted">
        {text.value && (found.length === 0 ? 'No links found.' : `${found.length} found.`)}
      </p>
      <ul class="lines">
        {found.map(({ url, title }) => (
          <li key={url}>
            <label class="choice">
              <input
                type="checkbox"
                checked={!left.value.includes(url)}
                onChange={(event) => {
                  const others = left.peek().filter((other) => other !== url);
                  left.value = event.currentTarget.checked ? others : [...others, url];
                }}
              />
              <span>
                <span class="strong">{title}</span> <span class="muted">{url}</span>
              </span>
            </label>
          </li>
        ))}
      </ul>
      {chosen.length > free && (
        <p class="error" role="alert">
          Your page has room for {free} more {free === 1 ? 'block' : 'blocks'}.
        </p>
      )}
      <div class="actions">
        <button type="button" onClick={onClose}>
          Cancel
        </button>
        <button
          type="button"
          class="primary"
          disabled={chosen.length === 0 || chosen.length > free}
          onClick={add}
        >
          Add {chosen.length === 1 ? '1 link' : `${chosen.length} links`}
        </button>
      </div>
    </Dialog>
  );
}

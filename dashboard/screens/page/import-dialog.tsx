import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { IMPORT_HOST_NAMES } from '#contract/import-hosts.ts';
import { type Answer, owner } from '#dashboard/api/api.ts';
import { Dialog } from '#dashboard/parts/dialog.tsx';
import { Bound } from '#dashboard/parts/field.tsx';
import { Form } from '#dashboard/parts/form.tsx';
import { say } from '#dashboard/parts/messages.tsx';
import { remainingBlocks, draftBlocks, scrollToBlocks } from './block-actions.ts';
import { draft } from './current-draft.ts';
import { summaryOf, titleOfKind } from './kinds.ts';
import { withImported } from './prefill.ts';
import { MAX_ADDRESS_LENGTH } from './web-address.ts';

type Imported = Answer<typeof owner.page.importPage>;
type Detail = 'display_name' | 'bio' | 'avatar_url';

const DETAILS = [
  ['display_name', 'Title'],
  ['bio', 'Bio'],
  ['avatar_url', 'Picture'],
] as const;

/** Takes over what somebody has on another page, as far as it is chosen. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const found = useSignal<Imported>();
  return (
    <Dialog title="Import from another page" onCancel={onClose}>
      {found.value ? (
        <SelectionForm
          found={found.value}
          onBack={() => (found.value = undefined)}
          onDone={onClose}
        />
      ) : (
        <SourceForm onFound={(page) => (found.value = page)} onCancel={onClose} />
      )}
    </Dialog>
  );
}

/** Asks for the address of a page, or for its source. */
function SourceForm({
  onFound,
  onCancel,
}: {
  onFound: (page: Imported) => void;
  onCancel: () => void;
}) {
  const url = useSignal('');
  const source = useSignal('');
  const isPasted = useSignal(false);
  const state = useSignal('');
  const read = async (reading: Promise<Imported>) => {
    state.value = 'Reading the page…';
    try {
      const page = await reading;
      const isEmpty = page.blocks.length === 0 && DETAILS.every(([name]) => page[name] === null);
      state.value = isEmpty ? 'Nothing was found on this page.' : '';
      if (!isEmpty) onFound(page);
    } catch (error) {
      state.value = '';
      throw error;
    }
  };
  return (
    <>
      {isPasted.value ? (
        <Form
          key="source"
          fields={['source']}
          submit="Find links"
          onSubmit={() =>
            read(owner.page.readSource({ source: withoutInvalidCharacters(source.value) }))
          }
        >
          <Bound
            to={source}
            name="source"
            label="Source of the page"
            hint="For LinkStack, LittleLink and any other page: open it on a computer, press Ctrl+U, copy everything and paste it here. A list of addresses works, too."
            rows={5}
            spellcheck={false}
          />
        </Form>
      ) : (
        <Form
          key="url"
          fields={['page_url']}
          submit="Find links"
          onSubmit={() => read(owner.page.importPage({ url: url.value }))}
        >
          <Bound
            to={url}
            name="page_url"
            type="url"
            label="Address of your page"
            placeholder="linktr.ee/yourname"
            hint={`A page at ${IMPORT_HOST_NAMES}.`}
            maxLength={MAX_ADDRESS_LENGTH}
          />
        </Form>
      )}
      <p role="status" class={state.value ? 'muted' : 'unseen'}>
        {state.value}
      </p>
      <div class="actions between">
        <button type="button" class="link" onClick={() => (isPasted.value = !isPasted.value)}>
          {isPasted.value ? 'Use its address instead' : 'Paste the page’s source instead'}
        </button>
        <button type="button" onClick={onCancel}>
          Cancel
        </button>
      </div>
    </>
  );
}

/** Lists the findings to choose from; nothing is put into the draft before that. */
function SelectionForm({
  found,
  onBack,
  onDone,
}: {
  found: Imported;
  onBack: () => void;
  onDone: () => void;
}) {
  const list = useRef<HTMLUListElement>(null);
  // The button that had the focus is gone.
  useEffect(() => list.current!.querySelector('input')!.focus(), []);
  const site = draft.site.peek()!;
  const details = DETAILS.filter(([name]) => found[name] !== null && found[name] !== site[name]);
  // Nothing that the owner wrote is replaced unless that is chosen.
  const left = useSignal<readonly string[]>(
    details.map(([name]) => name).filter((name) => site[name]),
  );
  const isChosen = (key: string) => !left.value.includes(key);
  const blocks = found.blocks.filter(({ id }) => isChosen(id));
  const chosen = details.filter(([name]) => isChosen(name));
  const count = blocks.length + chosen.length;
  const add = () => {
    const at = draftBlocks.peek().length;
    const picked = Object.fromEntries(chosen.map(([name]) => [name, found[name]]));
    draft.change(`import ${found.blocks[0]?.id ?? ''}`, withImported(site, picked, blocks));
    const after = draft.site.peek();
    onDone();
    if (blocks.length > 0) scrollToBlocks(at);
    say(`${count === 1 ? '1 thing' : `${count} things`} added. Save to keep them.`, {
      label: 'Undo',
      run: () => draft.undo(),
      isCurrent: () => draft.site.value === after,
    });
  };
  const toggle = (key: string, isOn: boolean) => {
    const others = left.peek().filter((other) => other !== key);
    left.value = isOn ? others : [...others, key];
  };
  return (
    <>
      <p class="muted" role="status">
        Choose what to put on your page.
      </p>
      <ul ref={list} class="lines found">
        {details.map(([name, label]) => (
          <Item
            key={name}
            label={label}
            isChosen={isChosen(name)}
            onToggle={(isOn) => toggle(name, isOn)}
          >
            <span class="what">{found[name]}</span>
            <small>{detailNote(name, found[name]!, site[name])}</small>
          </Item>
        ))}
        {found.blocks.map((block) => (
          <Item
            key={block.id}
            label={titleOfKind(block.type)}
            isChosen={isChosen(block.id)}
            onToggle={(isOn) => toggle(block.id, isOn)}
          >
            <span class="what">{summaryOf(block)}</span>
            {block.url && block.url !== summaryOf(block) && <small>{block.url}</small>}
          </Item>
        ))}
      </ul>
      {blocks.length > remainingBlocks.value && (
        <p class="error" role="alert">
          Your page has room for {remainingBlocks.value} more{' '}
          {remainingBlocks.value === 1 ? 'block' : 'blocks'}.
        </p>
      )}
      <div class="actions">
        <button type="button" onClick={onBack}>
          Back
        </button>
        <button
          type="button"
          class="primary"
          disabled={count === 0 || blocks.length > remainingBlocks.value}
          onClick={add}
        >
          Add {count} to my page
        </button>
      </div>
    </>
  );
}

function Item({
  label,
  isChosen,
  onToggle,
  children,
}: {
  label: string;
  isChosen: boolean;
  onToggle: (isChosen: boolean) => void;
  children: ComponentChildren;
}) {
  return (
    <li>
      <label class="choice">
        <input
          type="checkbox"
          checked={isChosen}
          onChange={(event) => onToggle(event.currentTarget.checked)}
        />
        <span>
          <small>{label}</small>
          {children}
        </span>
      </label>
    </li>
  );
}

/** Words about a detail of the profile that would be taken over. */
function detailNote(name: Detail, value: string, current: string | null): string {
  if (current) return `Replaces ${name === 'avatar_url' ? 'your picture' : `“${current}”`}`;
  if (name !== 'avatar_url') return '';
  return `It stays at ${new URL(value).host}, and visitors load it from there. You can choose your own picture later.`;
}

/** A pasted text without the characters that no JSON text for the server may hold. */
function withoutInvalidCharacters(text: string): string {
  return text.toWellFormed().replaceAll('\0', '');
}

import { signal, useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from '../../parts/icon.tsx';
import { say } from '../../parts/messages.tsx';
import { Empty } from '../../parts/states.tsx';
import { AddBlock } from './add-block.tsx';
import { BlockForm } from './block-form.tsx';
import { type Block, change, changeBlock, draft, newId, undo } from './draft.ts';
import { ImportLinks } from './import-links.tsx';
import { summaryOf, titleOfKind } from './kinds.ts';

/** The block whose form is open. */
export const openBlock = signal('');
const dragged = signal('');

function setBlocks(what: string, blocks: Block[]): void {
  change(what, { blocks });
}

/** Moves a block to another place, and says where it is. */
function move(id: string, to: number): void {
  const { blocks } = draft.peek()!;
  const from = blocks.findIndex((block) => block.id === id);
  if (to < 0 || to >= blocks.length || from === to) return;
  const moved = blocks.toSpliced(from, 1).toSpliced(to, 0, blocks[from]!);
  setBlocks(`${id} move`, moved);
  say(`Block ${to + 1} of ${blocks.length}.`);
}

/** The blocks of the page in their order. */
export function Blocks({ blocks }: { blocks: Block[] }) {
  return (
    <section class="card">
      <div class="row between">
        <h2>Blocks</h2>
        <div class="row">
          <ImportLinks
            onAdd={(links) => {
              const added = links.map((link) => ({
                ...link,
                id: newId(),
                type: 'link',
                enabled: true,
              }));
              setBlocks(newId(), [...blocks, ...added]);
            }}
          />
          <AddBlock
            onAdd={(block) => {
              const added = { ...block, id: newId(), enabled: true };
              setBlocks(added.id, [...blocks, added]);
              openBlock.value = added.id;
            }}
          />
        </div>
      </div>
      {blocks.length === 0 ? (
        <Empty title="Your page has no blocks yet.">
          <p class="muted">Links are what most pages begin with.</p>
        </Empty>
      ) : (
        <ol class="blocks">
          {blocks.map((block, index) => (
            <BlockRow key={block.id} block={block} index={index} count={blocks.length} />
          ))}
        </ol>
      )}
    </section>
  );
}

function BlockRow({ block, index, count }: { block: Block; index: number; count: number }) {
  const { id, type, enabled } = block;
  const row = useRef<HTMLLIElement>(null);
  const isTarget = useSignal(false);
  const isOpen = openBlock.value === id;
  const title = titleOfKind(type);
  const which = `${title} ${summaryOf(block)}`.trim();
  // At once: later it would be taken from where its owner has gone on.
  useLayoutEffect(() => {
    if (isOpen)
      row.current?.querySelector<HTMLElement>('.form :is(input,textarea,select)')?.focus();
  }, [isOpen]);
  const remove = () => {
    setBlocks(
      `${id} delete`,
      draft.peek()!.blocks.filter((other) => other.id !== id),
    );
    say(`${title} deleted.`, { label: 'Undo', run: undo });
  };
  const duplicate = () => {
    const copy = { ...block, id: newId() };
    setBlocks(copy.id, draft.peek()!.blocks.toSpliced(index + 1, 0, copy));
    openBlock.value = copy.id;
  };
  return (
    <li
      ref={row}
      class={[enabled ? '' : 'off', isTarget.value ? 'target' : ''].join(' ')}
      draggable={dragged.value === id}
      onDragEnd={() => (dragged.value = '')}
      onDragOver={(event) => {
        if (!dragged.value || dragged.value === id) return;
        event.preventDefault();
        isTarget.value = true;
      }}
      onDragLeave={() => (isTarget.value = false)}
      onDrop={(event) => {
        event.preventDefault();
        isTarget.value = false;
        move(dragged.value, index);
      }}
    >
      <div class="head">
        <span
          class="grip"
          title="Drag to move"
          onPointerDown={() => (dragged.value = id)}
          onPointerUp={() => (dragged.value = '')}
        >
          <Icon lines="M6 4v.01M6 8v.01M6 12v.01M10 4v.01M10 8v.01M10 12v.01" />
        </span>
        <button
          type="button"
          class="name"
          aria-expanded={isOpen}
          onClick={() => (openBlock.value = isOpen ? '' : id)}
        >
          <span class="strong">{title}</span> <span class="muted">{summaryOf(block)}</span>
        </button>
        <div class="tools">
          <input
            type="checkbox"
            role="switch"
            class="toggle"
            aria-label={`Show ${which}`}
            checked={enabled}
            onChange={(event) =>
              changeBlock(id, 'enabled', { enabled: event.currentTarget.checked })
            }
          />
          <Tool
            label={`Move ${which} up`}
            lines="m4 10 4-4 4 4"
            isOff={index === 0}
            onPress={() => move(id, index - 1)}
          />
          <Tool
            label={`Move ${which} down`}
            lines="m4 6 4 4 4-4"
            isOff={index === count - 1}
            onPress={() => move(id, index + 1)}
          />
          <Tool
            label={`Duplicate ${which}`}
            lines="M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3"
            onPress={duplicate}
          />
          <Tool label={`Delete ${which}`} lines="m4 4 8 8M12 4l-8 8" onPress={remove} />
        </div>
      </div>
      {isOpen && (
        <div class="form">
          <BlockForm block={block} index={index} />
        </div>
      )}
    </li>
  );
}

function Tool({
  label,
  lines,
  isOff = false,
  onPress,
}: {
  label: string;
  lines: string;
  isOff?: boolean;
  onPress: () => void;
}) {
  return (
    // Not disabled: who moves a block to its end keeps the focus.
    <button
      type="button"
      class="tool"
      aria-label={label}
      title={label}
      aria-disabled={isOff || undefined}
      onClick={onPress}
    >
      <Icon lines={lines} />
    </button>
  );
}

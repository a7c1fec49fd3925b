import { computed, signal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { LIMITS } from '../../../contract/limits.ts';
import { Icon } from '../../parts/icon.tsx';
import { announce, say } from '../../parts/messages.tsx';
import { Empty } from '../../parts/states.tsx';
import { AddBlock } from './add-block.tsx';
import { BlockForm } from './block-form.tsx';
import { uuid } from '../../../client/src/uuid.ts';
import { draft } from './current-draft.ts';
import type { Block } from './site.ts';
import { blockFlaw } from './flaws.ts';
import { Grip, dropGap } from './grip.tsx';
import { ImportLinks } from './import-links.tsx';
import { nameOfBlock, summaryOf, titleOfKind } from './kinds.ts';

/** The block whose form is open. */
export const openBlock = signal('');

/** From so many free places on, their number is told. */
const FEW = 10;

/** How many blocks can still be added. */
const free = computed(() => LIMITS.blocks - (draft.site.value?.blocks.length ?? 0));

function setBlocks(what: string, blocks: Block[]): void {
  draft.change(what, { blocks });
}

/** Moves a block to another place, and tells who does not see it where it is. */
function move(id: string, to: number): void {
  const { blocks } = draft.site.peek()!;
  const from = blocks.findIndex((block) => block.id === id);
  if (to < 0 || to >= blocks.length || from === to) return;
  const moved = blocks.toSpliced(from, 1).toSpliced(to, 0, blocks[from]!);
  setBlocks(`${id} move`, moved);
  announce(`${nameOfBlock(blocks[from]!)}: block ${to + 1} of ${blocks.length}.`);
}

/** The blocks of the page in their order. */
export function Blocks({ blocks }: { blocks: Block[] }) {
  return (
    <section class="card">
      <div class="row between">
        <h2>Blocks</h2>
        <div class="row">
          <ImportLinks
            free={free.value}
            onAdd={(links) => {
              const added = links.map((link) => ({
                ...link,
                id: uuid(),
                type: 'link',
                enabled: true,
              }));
              setBlocks(uuid(), [...blocks, ...added]);
            }}
          />
          <AddBlock
            isFull={free.value <= 0}
            onAdd={(block) => {
              const added = { ...block, id: uuid(), enabled: true };
              setBlocks(added.id, [...blocks, added]);
              openBlock.value = added.id;
            }}
          />
        </div>
      </div>
      {free.value <= FEW && (
        <p class="muted" role="status">
          {free.value > 0
            ? `A page can have ${LIMITS.blocks} blocks: you can add ${free.value} more.`
            : `A page can have ${LIMITS.blocks} blocks. Delete one to add another.`}
        </p>
      )}
      {blocks.length === 0 ? (
        <Empty title="Your page has no blocks yet.">
          <p class="muted">Most pages begin with links.</p>
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

interface RowProps {
  block: Block;
  index: number;
  /** How many blocks the page has. */
  count: number;
}

function BlockRow({ block, index, count }: RowProps) {
  const { id, type, enabled } = block;
  const row = useRef<HTMLLIElement>(null);
  const isOpen = openBlock.value === id;
  const title = titleOfKind(type);
  const which = `${title} ${summaryOf(block)}`.trim();
  // At once: later it would be taken from where its owner has gone on.
  useLayoutEffect(() => {
    if (isOpen)
      row.current?.querySelector<HTMLElement>('.form :is(input,textarea,select)')?.focus();
  }, [isOpen]);
  return (
    <li
      ref={row}
      class={[
        enabled ? '' : 'off',
        dropGap.value === index ? 'before' : '',
        dropGap.value === count && index === count - 1 ? 'after' : '',
      ].join(' ')}
    >
      <div class="head">
        <Grip which={which} index={index} onMove={(to) => move(id, to)} />
        <button
          type="button"
          class="name"
          aria-expanded={isOpen}
          onClick={() => (openBlock.value = isOpen ? '' : id)}
        >
          <span class="strong">{title}</span> <span class="muted">{summaryOf(block)}</span>
          {blockFlaw(block) && <span class="unfinished"> Not finished</span>}
        </button>
        <BlockTools block={block} which={which} index={index} count={count} />
      </div>
      {isOpen && (
        <div class="form">
          <BlockForm block={block} />
        </div>
      )}
    </li>
  );
}

/** The switch and the buttons of a block; `which` names it to screen readers. */
function BlockTools({ block, which, index, count }: RowProps & { which: string }) {
  const { id, enabled } = block;
  const remove = () => {
    setBlocks(
      `${id} delete`,
      draft.site.peek()!.blocks.filter((other) => other.id !== id),
    );
    const after = draft.site.peek();
    // Once something else is changed, the last step is not this one any more.
    const isCurrent = () => draft.site.value === after;
    say(`${nameOfBlock(block)} deleted.`, { label: 'Undo', run: () => draft.undo(), isCurrent });
  };
  const duplicate = () => {
    if (free.peek() <= 0) return;
    const copy = { ...block, id: uuid() };
    setBlocks(copy.id, draft.site.peek()!.blocks.toSpliced(index + 1, 0, copy));
    openBlock.value = copy.id;
  };
  return (
    <div class="tools">
      <input
        type="checkbox"
        role="switch"
        class="toggle"
        aria-label={`Show ${which}`}
        checked={enabled}
        onChange={(event) =>
          draft.changeBlock(id, 'enabled', { enabled: event.currentTarget.checked })
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
        isOff={free.value <= 0}
        onPress={duplicate}
      />
      <Tool label={`Delete ${which}`} lines="m4 4 8 8M12 4l-8 8" onPress={remove} />
    </div>
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

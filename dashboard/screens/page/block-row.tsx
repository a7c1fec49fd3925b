import { useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from '#dashboard/parts/icon.tsx';
import { LINES } from '#dashboard/parts/icon-lines.ts';
import {
  deleteBlock,
  moveBlock,
  openGallery,
  selectedId,
  setBlockEnabled,
} from './block-actions.ts';
import { BlockForm } from './block-form.tsx';
import { DragHandle, drag } from './drag-handle.tsx';
import { iconOfKind } from './kind-icons.ts';
import { summaryOf, titleOfKind } from './kinds.ts';
import { BIN_ICON, RowMenu } from './row-menu.tsx';
import { blockRowText } from './block-row-text.ts';
import type { Block } from './site.ts';

/** Row of a block in the list: what it is, its tools, and its form while it is selected. */
export function BlockRow({
  block,
  index,
  count,
}: {
  block: Block;
  index: number;
  /** How many blocks are listed. */
  count: number;
}) {
  const { id, type, enabled } = block;
  const row = useRef<HTMLLIElement>(null);
  const isOpen = selectedId.value === id;
  const { title, note, pill, picture } = blockRowText(block);
  const which = `${titleOfKind(type)} ${summaryOf(block)}`.trim();
  const { from, gap } = drag.value ?? {};
  // At once: later it would be taken from where its owner has gone on.
  useLayoutEffect(() => {
    if (isOpen) focusForm(row.current!);
  }, [isOpen]);
  return (
    <li
      ref={row}
      class={[
        'block',
        isOpen && 'block-open',
        !enabled && 'block-off',
        from === index && 'held',
        gap === index && 'before',
        gap === count && index === count - 1 && 'after',
      ]
        .filter(Boolean)
        .join(' ')}
    >
      <div class="block-head">
        <DragHandle which={which} index={index} onMove={(to) => moveBlock(id, to)} />
        <button
          type="button"
          class="block-name"
          aria-expanded={isOpen}
          onClick={() => (selectedId.value = isOpen ? '' : id)}
        >
          {picture ? (
            <img class="tile" src={picture} alt="" loading="lazy" referrerpolicy="no-referrer" />
          ) : (
            <span class="tile">
              <Icon lines={iconOfKind(type)} />
            </span>
          )}
          <span class="block-words">
            <span class="block-line">
              <span class="strong">{title}</span>
              {pill && <span class={`pill ${pill.look}`}>{pill.words}</span>}
            </span>
            <small>{note}</small>
          </span>
          <Icon lines={isOpen ? 'm4 10 4-4 4 4' : LINES.down} />
        </button>
        <input
          type="checkbox"
          role="switch"
          class="toggle"
          aria-label={`Show ${which}`}
          checked={enabled}
          onChange={(event) => setBlockEnabled(id, event.currentTarget.checked)}
        />
        <RowMenu block={block} which={which} index={index} />
      </div>
      {isOpen && (
        <div class="block-body">
          <BlockForm block={block} />
          <div class="block-foot">
            <button type="button" class="quiet" onClick={() => (selectedId.value = '')}>
              Done
            </button>
            <button type="button" class="quiet danger" onClick={() => deleteBlock(id)}>
              <Icon lines={BIN_ICON} />
              Delete
            </button>
          </div>
        </div>
      )}
      {index < count - 1 && <InsertButton at={index + 1} where={`below ${which}`} />}
    </li>
  );
}

/** Puts the focus into the first field of the form in a row; without one, onto what opened it. */
export function focusForm(row: HTMLElement): void {
  const fields = '.block-body :is(input,textarea,select,button)';
  (
    row.querySelector<HTMLElement>(fields) ?? row.querySelector<HTMLElement>('.block-name')
  )?.focus();
}

/** Plus between two rows, where a mouse comes by; the menu of the row does the same for others. */
export function InsertButton({ at, where }: { at: number; where: string }) {
  return (
    <button
      type="button"
      class="add-here"
      tabIndex={-1}
      aria-label={`Add a block ${where}`}
      onClick={() => openGallery(at)}
    >
      <Icon lines={LINES.plus} />
    </button>
  );
}

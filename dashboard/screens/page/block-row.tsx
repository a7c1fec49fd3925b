import { useLayoutEffect, useRef } from 'preact/hooks';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { Icon } from '#dashboard/components/icon.tsx';
import { navigate, query } from '#dashboard/router.ts';
import { t } from '#dashboard/translate.ts';
import { deleteBlock, moveBlock, selectedId, setBlockEnabled } from './block-actions.ts';
import { BlockForm } from './block-form.tsx';
import { openBlockPicker } from './block-picker.tsx';
import { blockRowText } from './block-row-text.ts';
import { DragHandle, dragClass } from './drag-handle.tsx';
import { iconOfKind } from './kind-icons.ts';
import { summaryOf, titleOfKind } from './kinds.ts';
import { BIN_ICON, RowMenu } from './row-menu.tsx';
import type { Block } from './site.ts';

interface BlockSummaryProps {
  block: Block;
  /** Clicks in the last 30 days. */
  clicks: number;
  /** Whether `clicks` includes those of other blocks with the same address. */
  areClicksShared: boolean;
}

export function BlockRow({
  block,
  index,
  count,
  ...clicks
}: BlockSummaryProps & { index: number; count: number }) {
  const { id, type, enabled } = block;
  const row = useRef<HTMLLIElement>(null);
  const isOpen = selectedId.value === id;
  const label = `${titleOfKind(type)} ${summaryOf(block)}`.trim();
  // A layout effect, because a delayed effect could take the focus after the user has moved on.
  useLayoutEffect(() => {
    if (isOpen) focusForm(row.current!);
  }, [isOpen]);
  return (
    <li
      ref={row}
      class={['block', isOpen && 'block-open', !enabled && 'block-off', dragClass('blocks', index)]
        .filter(Boolean)
        .join(' ')}
    >
      <div class="block-head">
        <DragHandle list="blocks" label={label} index={index} onMove={(to) => moveBlock(id, to)} />
        <button
          type="button"
          class="block-name"
          aria-expanded={isOpen}
          onClick={() => (selectedId.value = isOpen ? '' : id)}
        >
          <BlockSummary block={block} {...clicks} />
          <Icon path={isOpen ? 'm4 10 4-4 4 4' : ICON_PATHS.chevronDown} />
        </button>
        {!enabled && (
          <button
            type="button"
            class="quiet"
            aria-label={t('Show {block}', { block: label })}
            onClick={() => {
              // This button goes away.
              row.current!.querySelector<HTMLElement>('.block-name')!.focus();
              setBlockEnabled(id, true);
            }}
          >
            {t('Show')}
          </button>
        )}
        <RowMenu block={block} label={label} index={index} />
      </div>
      {isOpen && (
        <div class="block-body">
          <BlockForm block={block} />
          {/* A field that reports an error when it loses the focus would move these buttons. */}
          <div class="block-foot" onMouseDown={(event) => event.preventDefault()}>
            <button type="button" class="primary" onClick={closeForm}>
              {t('button|Done')}
            </button>
            <button type="button" class="quiet danger" onClick={() => deleteBlock(id)}>
              <Icon path={BIN_ICON} />
              {t('Delete')}
            </button>
          </div>
        </div>
      )}
      {index < count - 1 && (
        <InsertButton index={index + 1} label={t('Add a block below {block}', { block: label })} />
      )}
    </li>
  );
}

function BlockSummary({ block, clicks, areClicksShared }: BlockSummaryProps) {
  const { title, note, pill, picture, brand } = blockRowText(block);
  return (
    <>
      {picture ? (
        <img class="tile" src={picture} alt="" loading="lazy" referrerpolicy="no-referrer" />
      ) : brand ? (
        <img class="tile brand" src={`/dashboard/icons/${brand}.svg`} alt="" />
      ) : (
        <span class="tile">
          <Icon path={iconOfKind(block.type)} />
        </span>
      )}
      <span class="block-words">
        <span class="block-line">
          <span class="strong clamped">{title}</span>
          {pill && <span class={`pill ${pill.variant}`}>{pill.text}</span>}
        </span>
        <small class="ellipsis">{note}</small>
        {clicks > 0 && (
          <small
            class="clicks ellipsis"
            title={
              areClicksShared ? t('On this address in the last 30 days') : t('In the last 30 days')
            }
          >
            {t('{clicks, plural, one {# click} other {# clicks}}', { clicks })}
          </small>
        )}
      </span>
    </>
  );
}

function closeForm(): void {
  (document.activeElement as HTMLElement).blur();
  selectedId.value = '';
}

/**
 * Focuses the first control in a row's form, or the button that opens the form if there is none.
 */
export function focusForm(row: HTMLElement): void {
  const control =
    row.querySelector<HTMLElement>('.block-body :is(input,textarea,select,button)') ??
    row.querySelector<HTMLElement>('.block-name')!;
  // “Add your first link” on Home opens the editor with this query.
  control.autofocus = query.peek().has('link');
  control.focus();
  // Only the first form, because the screen moves the focus to it again once it is shown.
  if (control.autofocus) navigate('page', { replace: true });
}

/**
 * Appears between two rows on hover. Not in the tab order, because the row menu offers the same.
 */
export function InsertButton({ index, label }: { index: number; label: string }) {
  return (
    <button
      type="button"
      class="add-here"
      tabIndex={-1}
      aria-label={label}
      onClick={() => openBlockPicker(index)}
    >
      <Icon path={ICON_PATHS.plus} />
    </button>
  );
}

import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Icon } from '#dashboard/components/icon.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { Popover } from '#dashboard/components/popover.tsx';
import { t } from '#dashboard/translate.ts';
import {
  blockPickerIndex,
  deleteBlock,
  duplicateBlock,
  remainingBlocks,
  draftBlocks,
  moveBlock,
  setBlockEnabled,
} from './block-actions.ts';
import type { Block } from './site.ts';

interface MenuItem {
  label: string;
  iconPath: string;
  isDisabled?: boolean;
  isDangerous?: boolean;
  run: () => unknown;
}

/** `label` names the block for screen readers. */
export function RowMenu({ block, label, index }: { block: Block; label: string; index: number }) {
  const { id, enabled } = block;
  const items = (): MenuItem[] => [
    {
      label: t('Move up'),
      iconPath: 'M8 13V3M4 7l4-4 4 4',
      isDisabled: index === 0,
      run: () => moveBlock(id, index - 1),
    },
    {
      label: t('Move down'),
      iconPath: 'M8 3v10M4 9l4 4 4-4',
      isDisabled: index === draftBlocks.peek().length - 1,
      run: () => moveBlock(id, index + 1),
    },
    {
      label: t('Add block below'),
      iconPath: ICON_PATHS.plus,
      isDisabled: remainingBlocks.peek() <= 0,
      run: () => (blockPickerIndex.value = index + 1),
    },
    {
      label: t('Duplicate'),
      iconPath: ICON_PATHS.copy,
      isDisabled: remainingBlocks.peek() <= 0,
      run: () => duplicateBlock(id),
    },
    {
      label: enabled ? t('Hide') : t('Show'),
      iconPath: ICON_PATHS.eye,
      run: () => setBlockEnabled(id, !enabled),
    },
    { label: t('Delete'), iconPath: BIN_ICON, isDangerous: true, run: () => deleteBlock(id) },
  ];
  return <Menu label={t('More for {block}', { block: label })} items={items} />;
}

export const BIN_ICON = 'M2.5 4.5h11M6 4.5v-2h4v2M4 4.5l.7 9h6.6l.7-9M6.7 7.2v3.6M9.3 7.2v3.6';

/** `children` are below the items. */
export function Menu({
  label,
  items,
  children,
}: {
  label: string;
  items: () => MenuItem[];
  children?: ComponentChildren;
}) {
  return (
    <Popover
      button={
        <>
          <Icon path={ICON_PATHS.dots} />
          <span class="visually-hidden">{label}</span>
        </>
      }
      buttonClass="icon-button"
      label={label}
    >
      {(close) => (
        <>
          <MenuItems items={items()} onDone={close} />
          {children}
        </>
      )}
    </Popover>
  );
}

function MenuItems({ items, onDone }: { items: readonly MenuItem[]; onDone: () => void }) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => list.current!.querySelector('button')!.focus(), []);
  const moveFocus = (offset: number) => {
    const buttons = [...list.current!.querySelectorAll('button')];
    const next = buttons.indexOf(document.activeElement as HTMLButtonElement) + offset;
    buttons.at(next % buttons.length)!.focus();
  };
  return (
    <div
      ref={list}
      onKeyDown={(event) => {
        const offset = { ArrowUp: -1, ArrowDown: 1 }[event.key];
        if (offset === undefined) return;
        event.preventDefault();
        moveFocus(offset);
      }}
    >
      {items.map(({ label, iconPath, isDisabled, isDangerous, run }) => (
        <button
          key={label}
          type="button"
          class={isDangerous ? 'menu-item danger' : 'menu-item'}
          aria-disabled={isDisabled || undefined}
          onClick={() => {
            if (isDisabled) return;
            // Close the menu first: closing focuses its button, and the action may move the focus.
            onDone();
            run();
          }}
        >
          <Icon path={iconPath} />
          {label}
        </button>
      ))}
    </div>
  );
}

import { useLayoutEffect, useRef } from 'preact/hooks';
import { ICON_PATHS } from './icon-paths.ts';
import { Icon } from './icon.tsx';
import { Popover } from './popover.tsx';

export interface MenuItem {
  label: string;
  iconPath: string;
  isDisabled?: boolean;
  isDangerous?: boolean;
  run: () => unknown;
}

export function Menu({ label, items }: { label: string; items: () => MenuItem[] }) {
  return (
    <Popover
      button={
        <>
          <Icon path={ICON_PATHS.more} />
          <span class="visually-hidden">{label}</span>
        </>
      }
      buttonClass="icon-button"
      label={label}
    >
      {(close) => <MenuItems items={items()} onDone={close} />}
    </Popover>
  );
}

function MenuItems({ items, onDone }: { items: readonly MenuItem[]; onDone: () => void }) {
  const list = useRef<HTMLDivElement>(null);
  // Before the menu is painted, so that no key is pressed in between.
  useLayoutEffect(() => list.current!.querySelector('button')!.focus(), []);
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

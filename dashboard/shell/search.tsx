import { type Signal, useSignal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { Icon } from '../parts/icon.tsx';
import { LINES } from '../parts/icon-lines.ts';
import { showing } from '../parts/messages.tsx';

type Palette = ComponentType<{ onClose: () => void }>;

const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

/** Opens the palette, by a button or Ctrl+K (⌘K); its code is loaded then. */
export function Search() {
  const palette = useSignal<{ Palette: Palette }>();
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isHeld = isMac ? event.metaKey : event.ctrlKey;
      if (!isHeld || event.shiftKey || event.altKey || event.key.toLowerCase() !== 'k') return;
      event.preventDefault();
      // A question that is open is answered first.
      if (!document.querySelector('dialog[open]')) void open(palette);
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [palette]);
  const Shown = palette.value?.Palette;
  return (
    <>
      <button
        type="button"
        class="search"
        aria-keyshortcuts={isMac ? 'Meta+K' : 'Control+K'}
        onClick={() => void open(palette)}
      >
        <Icon lines={LINES.search} />
        <span>Search</span>
        <kbd aria-hidden="true">{isMac ? '⌘K' : 'Ctrl K'}</kbd>
      </button>
      {Shown && <Shown onClose={() => (palette.value = undefined)} />}
    </>
  );
}

async function open(palette: Signal<{ Palette: Palette } | undefined>): Promise<void> {
  palette.value = await showing(import('../palette/palette.tsx'));
}

import { type Signal, useSignal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { Icon } from '../components/icon.tsx';
import { ICON_PATHS } from '../components/icon-paths.ts';
import { withErrorMessage } from '../components/messages.tsx';
import { t } from '../translate.ts';

type PaletteComponent = ComponentType<{ onClose: () => void }>;

const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

/** Opens the command palette on a click or Ctrl+K (⌘K on a Mac). Loads its code on first use. */
export function SearchButton() {
  const palette = useSignal<{ Palette: PaletteComponent }>();
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const hasModifier = isMac ? event.metaKey : event.ctrlKey;
      if (!hasModifier || event.shiftKey || event.altKey || event.key.toLowerCase() !== 'k') return;
      event.preventDefault();
      // Do not cover an open dialog.
      if (!document.querySelector('dialog[open]')) void openPalette(palette);
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [palette]);
  const LoadedPalette = palette.value?.Palette;
  return (
    <>
      <button
        type="button"
        class="search"
        aria-keyshortcuts={isMac ? 'Meta+K' : 'Control+K'}
        onClick={() => void openPalette(palette)}
      >
        <Icon path={ICON_PATHS.search} />
        <span>{t('Search')}</span>
        <kbd aria-hidden="true">{isMac ? '⌘K' : t('Ctrl K')}</kbd>
      </button>
      {LoadedPalette && <LoadedPalette onClose={() => (palette.value = undefined)} />}
    </>
  );
}

async function openPalette(
  palette: Signal<{ Palette: PaletteComponent } | undefined>,
): Promise<void> {
  palette.value = await withErrorMessage(import('../palette/palette.tsx'));
}

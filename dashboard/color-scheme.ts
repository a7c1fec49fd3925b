import { effect, signal } from '@preact/signals';
import { readStored, store } from './storage.ts';

type ColorScheme = 'system' | 'light' | 'dark';

const STORAGE_KEY = 'nameplate-scheme';
const storedScheme = readStored(STORAGE_KEY);

/** `system` follows the browser's preference. */
export const colorScheme = signal<ColorScheme>(
  storedScheme === 'light' || storedScheme === 'dark' ? storedScheme : 'system',
);

effect(() => {
  if (colorScheme.value === 'system') {
    delete document.documentElement.dataset['scheme'];
    store(STORAGE_KEY, null);
  } else {
    document.documentElement.dataset['scheme'] = colorScheme.value;
    store(STORAGE_KEY, colorScheme.value);
  }
});

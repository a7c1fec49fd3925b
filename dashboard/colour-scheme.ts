import { effect, signal } from '@preact/signals';

export type ColourScheme = 'system' | 'light' | 'dark';

const STORAGE_KEY = 'nameplate-scheme';
const stored = localStorage.getItem(STORAGE_KEY);

/** Stored per browser. `system` follows the preference of the browser. */
export const colourScheme = signal<ColourScheme>(
  stored === 'light' || stored === 'dark' ? stored : 'system',
);

effect(() => {
  if (colourScheme.value === 'system') {
    delete document.documentElement.dataset['scheme'];
    localStorage.removeItem(STORAGE_KEY);
  } else {
    document.documentElement.dataset['scheme'] = colourScheme.value;
    localStorage.setItem(STORAGE_KEY, colourScheme.value);
  }
});

export function isDark(): boolean {
  if (colourScheme.value !== 'system') return colourScheme.value === 'dark';
  return matchMedia('(prefers-color-scheme: dark)').matches;
}

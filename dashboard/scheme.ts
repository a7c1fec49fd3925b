import { effect, signal } from '@preact/signals';

export type Scheme = 'system' | 'light' | 'dark';

const KEPT = 'nameplate-scheme';
const kept = localStorage.getItem(KEPT);

/** Colours of the dashboard at this browser; `system` are those that the browser prefers. */
export const scheme = signal<Scheme>(kept === 'light' || kept === 'dark' ? kept : 'system');

effect(() => {
  if (scheme.value === 'system') {
    delete document.documentElement.dataset['scheme'];
    localStorage.removeItem(KEPT);
  } else {
    document.documentElement.dataset['scheme'] = scheme.value;
    localStorage.setItem(KEPT, scheme.value);
  }
});

/** Whether the dashboard is dark now. */
export function isDark(): boolean {
  if (scheme.value !== 'system') return scheme.value === 'dark';
  return matchMedia('(prefers-color-scheme: dark)').matches;
}

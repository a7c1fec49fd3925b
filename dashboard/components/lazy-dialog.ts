import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { withErrorMessage } from './messages.tsx';

/** The open dialog whose code was loaded on demand. */
export const lazyDialog = signal<ComponentType>();

export async function openLazyDialog(load: () => Promise<ComponentType>): Promise<void> {
  lazyDialog.value = await withErrorMessage(load());
}

export function closeLazyDialog(): void {
  lazyDialog.value = undefined;
}

import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { showing } from './messages.tsx';
import { type Loaded, useLoaded } from './use-loaded.ts';

/** Batches of a list as far as they are loaded, and what loads the next one if there is one. */
export interface Batches<Batch> {
  loaded: Loaded<Batch>;
  batches: readonly Batch[];
  more: (() => void) | undefined;
}

/** Loads the first batch of a list, and again whenever one of `anew` changes; `more` loads the next. */
export function useBatches<Batch extends { next: string | null }>(
  load: (cursor: { after?: string }) => Promise<Batch>,
  anew: readonly unknown[] = [],
): Batches<Batch> {
  const loaded = useLoaded(() => load({}), anew);
  const first = loaded.value;
  const current = useRef(first);
  current.current = first;
  const older = useSignal<{ behind?: Batch; batches: readonly Batch[] }>({ batches: [] });
  const isLoading = useRef(false);
  const later = older.value.behind === first ? older.value.batches : [];
  const batches = first === undefined ? [] : [first, ...later];
  const next = batches.at(-1)?.next ?? null;
  const loadNext = async (after: string) => {
    if (isLoading.current) return;
    isLoading.current = true;
    const batch = await showing(load({ after }));
    isLoading.current = false;
    // A batch behind another first one belongs to another list.
    if (batch && first && current.current === first)
      older.value = { behind: first, batches: [...later, batch] };
  };
  return { loaded, batches, more: next === null ? undefined : () => void loadNext(next) };
}

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { showing } from '../../parts/messages.tsx';
import { type Loaded, useLoaded } from '../../parts/use-loaded.ts';

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
  const older = useSignal<readonly Batch[]>([]);
  useEffect(() => {
    older.value = [];
  }, [loaded.value, older]);
  const batches = loaded.value === undefined ? [] : [loaded.value, ...older.value];
  const next = batches.at(-1)?.next ?? null;
  const loadNext = async (after: string) => {
    const batch = await showing(load({ after }));
    if (batch) older.value = [...older.value, batch];
  };
  return { loaded, batches, more: next === null ? undefined : () => void loadNext(next) };
}

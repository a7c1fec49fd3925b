import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { withErrorMessage } from './messages.tsx';
import { type AsyncState, useAsync } from './use-async.ts';

export interface Batches<Batch> {
  loaded: AsyncState<Batch>;
  batches: readonly Batch[];
  /** Undefined if there is no next batch. */
  loadMore: (() => void) | undefined;
}

/** Loads the first batch on mount, and again when `deps` change. */
export function useBatches<Batch extends { next: string | null }>(
  load: (cursor: { after?: string }) => Promise<Batch>,
  deps: readonly unknown[] = [],
): Batches<Batch> {
  const loaded = useAsync(() => load({}), deps);
  const firstBatch = loaded.value;
  const latestFirstBatch = useRef(firstBatch);
  latestFirstBatch.current = firstBatch;
  const laterState = useSignal<{ first?: Batch; batches: readonly Batch[] }>({ batches: [] });
  const isLoading = useRef(false);
  const laterBatches = laterState.value.first === firstBatch ? laterState.value.batches : [];
  const batches = firstBatch === undefined ? [] : [firstBatch, ...laterBatches];
  const next = batches.at(-1)?.next ?? null;
  const loadNext = async (after: string) => {
    if (isLoading.current) return;
    isLoading.current = true;
    const batch = await withErrorMessage(load({ after }));
    isLoading.current = false;
    // Drop the batch if the first one was reloaded while this one loaded.
    if (batch && firstBatch && latestFirstBatch.current === firstBatch)
      laterState.value = { first: firstBatch, batches: [...laterBatches, batch] };
  };
  return { loaded, batches, loadMore: next === null ? undefined : () => void loadNext(next) };
}

import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { AsyncContent } from './async-content.tsx';
import { withErrorMessage } from './messages.tsx';
import { ShowMore } from './show-more.tsx';
import { type AsyncState, useAsync } from './use-async.ts';

interface Batches<Batch, Row> {
  loaded: AsyncState<Batch>;
  batches: readonly Batch[];
  /** The rows of all batches. */
  rows: readonly Row[];
  /** Undefined if there is no next batch. */
  loadMore: (() => void) | undefined;
}

/** Loads the first batch on mount, and again when `deps` change. */
export function useBatches<Batch extends { next: string | null }, Row>(
  load: (cursor: { after?: string }) => Promise<Batch>,
  rowsOf: (batch: Batch) => readonly Row[],
  deps: readonly unknown[] = [],
): Batches<Batch, Row> {
  /** A batch stays while the first one of other `deps` loads, or if that fails. */
  const loads = useRef(new WeakMap<Batch, typeof load>()).current;
  const loadFirst = async () => {
    const first = await load({});
    loads.set(first, load);
    return first;
  };
  const loaded = useAsync(loadFirst, deps, { keepsOldValue: true });
  const firstBatch = loaded.value;
  const latestFirstBatch = useRef(firstBatch);
  latestFirstBatch.current = firstBatch;
  const laterState = useSignal<{ first?: Batch; batches: readonly Batch[] }>({ batches: [] });
  const isLoading = useRef(false);
  const laterBatches = laterState.value.first === firstBatch ? laterState.value.batches : [];
  const batches = firstBatch === undefined ? [] : [firstBatch, ...laterBatches];
  const next = batches.at(-1)?.next ?? null;
  const loadNext = async (after: string) => {
    if (isLoading.current || !firstBatch) return;
    isLoading.current = true;
    const batch = await withErrorMessage(loads.get(firstBatch)!({ after }));
    isLoading.current = false;
    // Drop the batch if the first one was reloaded while this one loaded.
    if (batch && latestFirstBatch.current === firstBatch)
      laterState.value = { first: firstBatch, batches: [...laterBatches, batch] };
  };
  return {
    loaded,
    batches,
    rows: batches.flatMap(rowsOf),
    loadMore: next === null ? undefined : () => void loadNext(next),
  };
}

export function BatchList<Row>({
  list: { loaded, rows, loadMore },
  empty,
  children,
}: {
  list: Pick<Batches<unknown, Row>, 'loaded' | 'rows' | 'loadMore'>;
  /** Shown if there are no rows. */
  empty?: ComponentChildren;
  children: (rows: readonly Row[]) => ComponentChildren;
}) {
  return (
    <AsyncContent state={loaded}>
      {() =>
        rows.length === 0 && empty !== undefined ? (
          empty
        ) : (
          <>
            {children(rows)}
            <ShowMore onMore={loadMore} />
          </>
        )
      }
    </AsyncContent>
  );
}

import { DAY_MS } from '#contract/durations.ts';
import { LIMITS } from '#contract/limits.ts';
import { Icon } from '#dashboard/parts/icon.tsx';
import { LINES } from '#dashboard/parts/icon-lines.ts';
import { say, showing } from '#dashboard/parts/messages.tsx';
import { go } from '#dashboard/router.ts';
import type { MetricsQuery } from './metrics-query.ts';

/** Aggregates that a block of a page can show. */
const BLOCK_AGGREGATES = new Set(['sum', 'avg', 'min', 'max', 'count', 'last']);

/** Opens the page editor with a block for each measure, with its number and trend. Nothing is saved yet. */
export function AddToPageButton({ query }: { query: MetricsQuery }) {
  const possible = (query.measures ?? [{}]).filter(
    ({ path = [], aggregate = 'count' }) =>
      BLOCK_AGGREGATES.has(aggregate) && path.every((key) => !key.includes('.')),
  );
  const reason =
    query.groupBy || query.filters?.length
      ? 'A page shows no groups and no filters. Remove them first.'
      : possible.length === 0 && 'A page cannot show this measure. Choose another one.';
  const put = async () => {
    const days = (Date.parse(query.until) - Date.parse(query.since)) / DAY_MS;
    const added = possible.map(({ path = [], aggregate }) => ({
      type: 'metric',
      // The project's name stays private; without a label the page shows the field's name.
      project: query.projectId,
      ...(path.length > 0 && { field: path.join('.'), aggregate }),
      // A block shows whole days. For less than one, it shows its default number of days.
      ...(days >= 1 && { days: Math.min(Math.ceil(days), LIMITS.blockDays) }),
    }));
    const { addBlocksToDraft: proposeBlocks } = await import('../page/block-actions.ts');
    return proposeBlocks(added);
  };
  const press = async () => {
    if (reason) return say(reason);
    const hasRoom = await showing(put());
    if (hasRoom === undefined) return;
    if (!hasRoom) return say('Your page has no room for more blocks.');
    go('page');
    say('Added to your draft. Save it to show it on your page.');
  };
  return (
    // Not disabled: a press says why nothing happens, also on phones.
    <button
      type="button"
      aria-disabled={reason ? true : undefined}
      title={reason || undefined}
      onClick={() => void press()}
    >
      <Icon lines={LINES.page} />
      Put on my page
    </button>
  );
}

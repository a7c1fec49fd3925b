import { DAY_MS } from '../../../contract/durations.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { owner } from '../../api/api.ts';
import { Icon } from '../../parts/icon.tsx';
import { LINES } from '../../parts/icon-lines.ts';
import { say, showing } from '../../parts/messages.tsx';
import { go } from '../../router.ts';
import type { MetricsQuery } from './question.ts';

/** Aggregates that a block of a page can show. */
const OF_BLOCKS = new Set(['sum', 'avg', 'min', 'max', 'count', 'last']);

/**
 * Adds what is asked to the public page: for each measure a block with a number and how it went, under
 * the name of its field. That of the project is its owner's to tell.
 */
export function PutOnPage({ query }: { query: MetricsQuery }) {
  const possible = (query.measures ?? [{}]).filter(
    ({ path = [], aggregate = 'count' }) =>
      OF_BLOCKS.has(aggregate) && path.every((key) => !key.includes('.')),
  );
  // A block shows neither a part of the metrics nor groups.
  const isWhole = !query.groupBy && !query.filters?.length;
  if (!isWhole || possible.length === 0) return null;
  const put = async () => {
    const { version, blocks } = await owner.page.getVersion();
    const days = (Date.parse(query.until) - Date.parse(query.since)) / DAY_MS;
    const added = possible.map(({ path = [], aggregate }) => ({
      type: 'metric',
      enabled: true,
      project: query.projectId,
      ...(path.length > 0 && { field: path.join('.'), aggregate }),
      // A block cannot show less than a day; it then shows as many days as it does by itself.
      ...(days >= 1 && { days: Math.min(Math.ceil(days), LIMITS.blockDays) }),
    }));
    await owner.page.save({ version, blocks: [...blocks, ...added] });
    return true;
  };
  return (
    <button
      type="button"
      onClick={() =>
        void showing(put()).then((isDone) => {
          if (isDone)
            say('Added to your page. Anybody can see it while the page is visible.', {
              label: 'Edit the page',
              run: () => go('page'),
            });
        })
      }
    >
      <Icon lines={LINES.page} />
      Put on my page
    </button>
  );
}

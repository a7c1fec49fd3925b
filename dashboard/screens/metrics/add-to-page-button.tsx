import { DAY_MS } from '#contract/shared/durations.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import { Icon } from '#dashboard/components/icon.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { showMessage, withErrorMessage } from '#dashboard/components/messages.tsx';
import { navigate } from '#dashboard/router.ts';
import { t } from '#dashboard/translate.ts';
import type { MetricsQuery } from './metrics-query.ts';

const BLOCK_AGGREGATES = new Set(['sum', 'avg', 'min', 'max', 'count', 'last']);

/**
 * Adds a block for each supported measure to the draft, without saving it, and opens the editor.
 */
export function AddToPageButton({ query }: { query: MetricsQuery }) {
  const supported = (query.measures ?? [{}]).filter(
    ({ path = [], aggregate = 'count' }) =>
      BLOCK_AGGREGATES.has(aggregate) && path.every((key) => !key.includes('.')),
  );
  const reason =
    query.group_by || query.filters?.length
      ? t('Page blocks cannot be grouped or filtered. Remove the group and the filters first.')
      : supported.length === 0 && t('Page blocks cannot show this measure. Choose another one.');
  const queryDays = (Date.parse(query.until) - Date.parse(query.since)) / DAY_MS;
  const days = Math.min(Math.ceil(queryDays), LIMITS.blockDays);
  const addBlocks = async () => {
    const blocks = supported.map(({ path = [], aggregate }) => ({
      type: 'metric',
      // No label, so that the project's name stays private. The page shows the field's name.
      project: query.project_id,
      ...(path.length > 0 && { field: path.join('.'), aggregate }),
      days,
    }));
    const { addBlocksToDraft } = await import('../page/page.tsx');
    return addBlocksToDraft(blocks);
  };
  const onPress = async () => {
    if (reason) return showMessage(reason);
    if (!(await withErrorMessage(addBlocks()))) return;
    navigate('page');
    showMessage(
      days === queryDays
        ? t('Added to your draft. Save it to show it on your page.')
        : t(
            'Added to your draft for {days, plural, one {the last day} other {the last # days}}, because blocks show whole days, at most {limit}. Save it to show it on your page.',
            { days, limit: LIMITS.blockDays },
          ),
    );
  };
  return (
    // aria-disabled instead of disabled, so that a press can show the reason.
    <button
      type="button"
      aria-disabled={reason ? true : undefined}
      title={reason || undefined}
      onClick={() => void onPress()}
    >
      <Icon path={ICON_PATHS.page} />
      {t('Add to my page')}
    </button>
  );
}

import { LIMITS } from '#contract/shared/limits.ts';
import { useAsync } from '#dashboard/components/use-async.ts';
import { t } from '#dashboard/translate.ts';
import { PAGE_FULL, remainingBlocks, draftBlocks } from './block-actions.ts';
import { countClicks, sharesClicks } from './block-clicks.ts';
import { InsertButton, BlockRow } from './block-row.tsx';
import { loadClicks } from './current-draft.ts';
import { IconList } from './icon-input.tsx';
import { ProfileRow } from './profile.tsx';
import type { Site } from './site.ts';
import './blocks.css';
import { EmptyStart, StartButtons } from './start-buttons.tsx';

/** Shows how many blocks can still be added once this many or fewer are left. */
const SHOW_REMAINING_FROM = 10;

export function Blocks({ site, isAddMain }: { site: Site; isAddMain: boolean }) {
  const blocks = draftBlocks.value;
  // Rows show no clicks if they cannot be loaded.
  const clicks = useAsync(() => loadClicks()).value ?? new Map<string, number>();
  return (
    <section class="card" aria-labelledby="blocks">
      <div class="card-head blocks-head">
        <h2 id="blocks">
          {t('Blocks')} <span class="count">{blocks.length}</span>
        </h2>
        {blocks.length > 0 && <StartButtons isAddMain={isAddMain} />}
      </div>
      <IconList />
      <ol class="blocks">
        <li class="profile">
          <ProfileRow site={site} />
          {blocks.length > 0 && <InsertButton index={0} label={t('Add a block at the top')} />}
        </li>
        {blocks.map((block, index) => (
          <BlockRow
            key={block.id}
            block={block}
            index={index}
            count={blocks.length}
            clicks={countClicks(block, clicks)}
            areClicksShared={sharesClicks(block, blocks)}
          />
        ))}
      </ol>
      {remainingBlocks.value <= SHOW_REMAINING_FROM && (
        <p class="muted" role="status">
          {remainingBlocks.value > 0
            ? t('A page can have {limit} blocks: you can add {remaining} more.', {
                limit: LIMITS.blocks,
                remaining: remainingBlocks.value,
              })
            : PAGE_FULL}
        </p>
      )}
      {blocks.length === 0 && <EmptyStart />}
    </section>
  );
}

import { Empty } from '#dashboard/components/async-content.tsx';
import { useBatches } from '#dashboard/components/batch-list.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { t } from '#dashboard/translate.ts';
import { ActivityList } from '../activity/activity-list.tsx';
import { loadActivity } from '../activity/load-activity.ts';
import { auditSource } from '../activity/sources.ts';

/** What operators and commands changed about one member. */
export function MemberActivity({ accountId }: { accountId: string }) {
  const list = useBatches(
    ({ after }) => loadActivity([auditSource({ account_id: accountId })], after),
    ({ rows }) => rows,
    [accountId],
  );
  return (
    <section class="card" aria-label={t('Audit trail')}>
      <h2>{t('Audit trail')}</h2>
      <ActivityList
        list={list}
        isOfMember
        empty={
          <Empty icon={ICON_PATHS.clock} title={t('No entries yet')}>
            <p class="muted">
              {t('Changes made by operators or on the command line appear here.')}
            </p>
          </Empty>
        }
      />
    </section>
  );
}

import type { ComponentChildren, ComponentProps } from 'preact';
import { BatchList } from '#dashboard/components/batch-list.tsx';
import { TimeOfDay } from '#dashboard/components/time.tsx';
import './activity.css';
import { AuditRow } from './audit-row.tsx';
import { EventRow } from './event-row.tsx';
import { groupByDay, groupRuns } from './group-by-day.ts';
import { type Entry, type Run, runKey } from './load-activity.ts';
import { RequestRow } from './request-row.tsx';

export function ActivityList({
  list,
  empty,
  isOfMember = false,
}: {
  list: ComponentProps<typeof BatchList<Entry>>['list'];
  empty: ComponentChildren;
  /** Whether the list is about one member, below the heading of its card. */
  isOfMember?: boolean;
}) {
  const DayTitle = isOfMember ? 'h3' : 'h2';
  return (
    <BatchList list={list} empty={empty}>
      {(entries) => (
        <div class="activity-days">
          {groupByDay(entries).map(({ title, events }) => (
            <section key={title} class="activity-day">
              <DayTitle>{title}</DayTitle>
              <ul>
                {groupRuns(events, runKey).map((run) => (
                  <ActivityRow key={run[0].id} run={run} isOfMember={isOfMember} />
                ))}
              </ul>
            </section>
          ))}
        </div>
      )}
    </BatchList>
  );
}

/** All entries of a run have the same source. */
function ActivityRow({ run, isOfMember }: { run: Run<Entry>; isOfMember: boolean }) {
  const [{ source, created_at }] = run;
  if (source === 'events')
    return <EventRow run={run as Run<never>} time={<TimeOfDay time={created_at} />} />;
  if (source === 'audit') return <AuditRow run={run as Run<never>} isOfMember={isOfMember} />;
  return <RequestRow run={run as Run<never>} />;
}

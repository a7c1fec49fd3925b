import type { AlertCondition, AlertAggregate } from '#contract/alert-condition.ts';
import { DAY_MS, HOUR_MS } from '#contract/shared/durations.ts';

interface ChartQuery {
  since: string;
  until: string;
  measures?: readonly { path?: string[] | undefined; aggregate?: string | undefined }[] | undefined;
}

/** The measure that the chart shows, over a window that suits its range. */
export function alertMeasureOf({
  measures,
  since,
  until,
}: ChartQuery): Pick<AlertCondition, 'path' | 'aggregate' | 'minutes'> {
  const { path = [], aggregate = 'count' } = measures?.[0] ?? {};
  const rangeMs = Date.parse(until) - Date.parse(since);
  return {
    path,
    aggregate: toAlertAggregate(aggregate),
    minutes: rangeMs <= HOUR_MS ? 15 : rangeMs <= DAY_MS ? 60 : 1_440,
  };
}

function toAlertAggregate(aggregate: string): AlertAggregate {
  switch (aggregate) {
    case 'count':
    case 'sum':
    case 'avg':
    case 'min':
    case 'max':
      return aggregate;
    default:
      return 'avg';
  }
}

import { z } from 'zod';
import { LIMITS } from './limits.ts';
import { topLevelMetricPath } from './metric-query.ts';

const ALERT_AGGREGATES = ['count', 'sum', 'avg', 'min', 'max'] as const;
export type AlertAggregate = (typeof ALERT_AGGREGATES)[number];

const ALERT_COMPARISONS = ['above', 'below', 'absent'] as const;
export type AlertComparison = (typeof ALERT_COMPARISONS)[number];

export const ALERT_STATES = ['new', 'fine', 'firing', 'no_data'] as const;
export type AlertState = (typeof ALERT_STATES)[number];

/** When an alert fires. */
export interface AlertCondition {
  path: readonly string[];
  aggregate: AlertAggregate;
  minutes: number;
  comparison: AlertComparison;
  threshold: number | null;
}

const AGGREGATE = `aggregate must be one of ${ALERT_AGGREGATES.join(', ')}.`;
const COMPARISON = `comparison must be one of ${ALERT_COMPARISONS.join(', ')}.`;
const MINUTES = `minutes must be a whole number from 1 to ${LIMITS.alertMinutes.toLocaleString('en')}.`;
const PAUSE = `pauseMinutes must be a whole number from 0 to ${LIMITS.alertPause.toLocaleString('en')}.`;
const THRESHOLD = 'threshold must be a number from -1e100 to 1e100.';
/** The 400 of a threshold that does not go with its comparison. */
export const THRESHOLD_MISMATCH_MESSAGE =
  'threshold is needed with above and below, and must be left out with absent.';

/** The fields of an alert's condition, as they are sent. */
export const alertFields = {
  path: topLevelMetricPath
    .default([])
    .meta({ description: topLevelMetricPath.meta()!.description, examples: [['errors']] }),
  aggregate: z
    .enum(ALERT_AGGREGATES, AGGREGATE)
    .default('count')
    .meta({
      description:
        'The aggregate to compare. `count` counts values that are not null, or metrics if the path is empty; all others use numbers only.',
      examples: ['sum'],
    }),
  minutes: z
    .int(MINUTES)
    .min(1, MINUTES)
    .max(LIMITS.alertMinutes, MINUTES)
    .meta({ description: 'How many minutes back it looks.', examples: [15] }),
  comparison: z.enum(ALERT_COMPARISONS, COMPARISON).meta({
    description:
      'When it fires: the value is above or below the threshold, or nothing arrived at the path at all.',
    examples: ['above'],
  }),
  threshold: z
    .number(THRESHOLD)
    .min(-1e100, THRESHOLD)
    .max(1e100, THRESHOLD)
    .nullish()
    .meta({ description: 'The number to compare with. None with `absent`.', examples: [10] }),
  pauseMinutes: z
    .int(PAUSE)
    .min(0, PAUSE)
    .max(LIMITS.alertPause, PAUSE)
    .default(60)
    .meta({
      description: 'The minimum number of minutes between two messages that it fires.',
      examples: [60],
    }),
};

/** Whether a threshold goes with its comparison. */
export function hasMatchingThreshold({
  comparison,
  threshold,
}: {
  comparison: AlertComparison;
  threshold?: number | null | undefined;
}): boolean {
  return (comparison === 'absent') === (threshold === undefined || threshold === null);
}

import { z } from 'zod';
import { intParam } from './fields.ts';
import { formatLimit, LIMITS } from './shared/limits.ts';
import { topLevelMetricPath } from './metric-query.ts';

const ALERT_AGGREGATES = ['count', 'sum', 'avg', 'min', 'max'] as const;
export type AlertAggregate = (typeof ALERT_AGGREGATES)[number];

const ALERT_COMPARISONS = ['above', 'below', 'absent'] as const;
export type AlertComparison = (typeof ALERT_COMPARISONS)[number];

export const ALERT_STATES = ['new', 'fine', 'firing', 'no_data'] as const;
export type AlertState = (typeof ALERT_STATES)[number];

export interface AlertCondition {
  path: readonly string[];
  aggregate: AlertAggregate;
  minutes: number;
  comparison: AlertComparison;
  threshold: number | null;
}

const AGGREGATE_MESSAGE = `aggregate must be one of ${ALERT_AGGREGATES.join(', ')}.`;
const COMPARISON_MESSAGE = `comparison must be one of ${ALERT_COMPARISONS.join(', ')}.`;
const MINUTES_MESSAGE = `minutes must be a whole number from 1 to ${formatLimit(LIMITS.alertWindowMinutes)}.`;
const PAUSE_MESSAGE = `pause_minutes must be a whole number from 0 to ${formatLimit(LIMITS.alertPauseMinutes)}.`;
const THRESHOLD_MESSAGE = 'threshold must be a number from -1e100 to 1e100.';
export const THRESHOLD_MISMATCH_MESSAGE =
  'threshold is required with above and below, and must be omitted with absent.';

export const alertFields = {
  path: topLevelMetricPath
    .default([])
    .meta({ description: topLevelMetricPath.meta()!.description, examples: [['errors']] }),
  aggregate: z
    .enum(ALERT_AGGREGATES, AGGREGATE_MESSAGE)
    .default('count')
    .meta({
      description:
        'The aggregate to compare with the threshold. `count` counts the values that are not null, or the metrics if the path is empty. All others use numbers only.',
      examples: ['sum'],
    }),
  minutes: intParam(1, LIMITS.alertWindowMinutes, MINUTES_MESSAGE).meta({
    description: 'The length of the evaluated time window, in minutes.',
    examples: [15],
  }),
  comparison: z.enum(ALERT_COMPARISONS, COMPARISON_MESSAGE).meta({
    description:
      'When the alert fires: if the value is `above` or `below` the threshold, or if it is `absent`: no metric in the time window has a value at the path.',
    examples: ['above'],
  }),
  threshold: z
    .number(THRESHOLD_MESSAGE)
    .min(-1e100, THRESHOLD_MESSAGE)
    .max(1e100, THRESHOLD_MESSAGE)
    .nullish()
    .meta({
      description:
        'The number to compare with. Required with `above` and `below`; omit it with `absent`.',
      examples: [10],
    }),
  pause_minutes: intParam(0, LIMITS.alertPauseMinutes, PAUSE_MESSAGE)
    .default(60)
    .meta({
      description: 'The minimum time between two messages that the alert fires, in minutes.',
      examples: [60],
    }),
};

/** Returns whether a threshold is given if, and only if, the comparison needs one. */
export function hasMatchingThreshold({
  comparison,
  threshold,
}: {
  comparison: AlertComparison;
  threshold?: number | null | undefined;
}): boolean {
  return (comparison === 'absent') === (threshold === undefined || threshold === null);
}

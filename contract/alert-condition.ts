import { z } from 'zod';
import { booleanParam, field, ifValid, intParam, enumParam } from './fields.ts';
import { metricPath } from './metric-query.ts';
import { LIMITS } from './shared/limits.ts';

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

const THRESHOLD_MESSAGE = 'must be a number from -1e100 to 1e100.';

export const THRESHOLD_MISMATCH_MESSAGE =
  'is required with above and below, and must be null or left out with absent.';

export const THRESHOLD_RULE = {
  error: THRESHOLD_MISMATCH_MESSAGE,
  path: ['threshold'],
  when: ifValid('comparison', 'threshold'),
};

/** Metrics are objects, so without a path there is no number that could be summed. */
export const PATH_RULE = {
  error: 'must name a number in the payloads. Only the aggregate count takes an empty path.',
  path: ['path'],
  when: ifValid('comparison', 'aggregate', 'path'),
};

export const alertFields = {
  path: metricPath
    .default([])
    .meta({ description: metricPath.meta()!.description, examples: [['duration_ms']] }),
  aggregate: enumParam(ALERT_AGGREGATES)
    .default('count')
    .meta({
      description:
        'The aggregate to compare with the threshold. `count` counts the values that are not null, or the metrics if the path is empty. All others use numbers only, and need a path. Ignored with `absent`.',
      examples: ['avg'],
    }),
  minutes: intParam(1, LIMITS.alertWindowMinutes).meta({
    description: 'The length of the evaluated time window, in minutes.',
    examples: [15],
  }),
  comparison: enumParam(ALERT_COMPARISONS).meta({
    description:
      'When the alert fires: if the value is `above` or `below` the threshold, or if it is `absent`: no metric in the time window has a value at the path.',
    examples: ['above'],
  }),
  threshold: field(
    'thresholdInvalid',
    z
      .number(THRESHOLD_MESSAGE)
      .min(-1e100, THRESHOLD_MESSAGE)
      .max(1e100, THRESHOLD_MESSAGE)
      .nullish(),
    'The number to compare with, from -1e100 to 1e100. Required with `above` and `below`; with `absent`, null or left out.',
    10,
  ),
  pause_minutes: intParam(0, LIMITS.alertPauseMinutes)
    .default(60)
    .meta({
      description:
        'After a message that the alert fires, the next message that it fires waits at least this many minutes; likewise for messages that it has no data. A message that it is over never waits.',
      examples: [60],
    }),
  notify_no_data: field(
    'notifyNoDataInvalid',
    booleanParam().optional(),
    'Whether connections get `alert_no_data`, once, when the time window has no value any more. An alert that had no value yet is silent. `count` and `sum` always have a value, and `absent` fires instead. If left out, a new alert has true, and one that exists keeps its value.',
    true,
  ),
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

export function hasNeededPath({
  path,
  aggregate,
  comparison,
}: Pick<AlertCondition, 'path' | 'aggregate' | 'comparison'>): boolean {
  return path.length > 0 || aggregate === 'count' || comparison === 'absent';
}

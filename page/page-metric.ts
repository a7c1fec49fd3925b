export const AGGREGATES = ['count', 'sum', 'avg', 'min', 'max', 'last'] as const;
export type Aggregate = (typeof AGGREGATES)[number];

/** A number computed from the metrics of a project. */
export interface PageMetricQuery {
  projectId: string;
  /** Path of the field in the payload; if empty, the payloads are counted. */
  path: readonly string[];
  aggregate: Aggregate;
  days: number;
}

export interface PageMetric {
  value: number;
  /** Value of the same number of days before. */
  previous: number | undefined;
  /** Values over time, oldest first; undefined where there is no data. */
  points: (number | undefined)[];
}

export const AGGREGATES = ['count', 'sum', 'avg', 'min', 'max', 'last'] as const;
export type Aggregate = (typeof AGGREGATES)[number];

/** A number computed from the metrics of a project. */
export interface PageMetricQuery {
  projectId: string;
  /** Path of the field in the payload. If empty, the payloads are counted. */
  path: readonly string[];
  aggregate: Aggregate;
  days: number;
}

export interface PageMetric {
  value: number;
  /** When the latest value was received, if the value is that. */
  latest_at?: string | null | undefined;
  /** Value for the preceding period of the same length. */
  previous: number | undefined;
  /** Values over time, oldest first. Undefined where there is no data. */
  points: (number | undefined)[];
}

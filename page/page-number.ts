export const AGGREGATES = ['count', 'sum', 'avg', 'min', 'max', 'last'] as const;
export type Aggregate = (typeof AGGREGATES)[number];

/** A number that is made of the metrics of a project in the days before now. */
export interface PageNumberQuery {
  projectId: string;
  /** Where in the payloads it is; without a path it is about the payloads themselves. */
  path: readonly string[];
  aggregate: Aggregate;
  days: number;
}

export interface PageNumber {
  value: number;
  /** Value for the same number of days before. */
  previous: number | undefined;
  /** How it went, oldest first; undefined where there was nothing. */
  points: (number | undefined)[];
}

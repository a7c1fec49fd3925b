import { sql } from 'kysely';
import { LIMITS } from '#contract/limits.ts';
import type { MetricAggregate, MetricCondition, MetricFilter } from '#contract/metric-query.ts';
import { type Expression, latestNumber, toNumber } from './metric-values.ts';

type Aggregate = (text: Expression, number: Expression) => Expression;

const AGGREGATES: Record<MetricAggregate, Aggregate> = {
  count: (text) => sql`count(${text})`,
  distinct: (text) => sql`count(DISTINCT hashtextextended(CASE WHEN ${isPlain(text)} THEN ${text}
    ELSE ${text}::jsonb::text END, 0))`,
  sum: (_text, number) => sql`coalesce(sum(${number}), 0)`,
  avg: (_text, number) => sql`avg(${number})`,
  min: (_text, number) => sql`min(${number})`,
  max: (_text, number) => sql`max(${number})`,
  p50: percentile(0.5),
  p90: percentile(0.9),
  p95: percentile(0.95),
  p99: percentile(0.99),
  last: (_text, number) => latestNumber(number),
};

function percentile(fraction: number): Aggregate {
  return (_text, number) =>
    sql`percentile_cont(${fraction}::float8) WITHIN GROUP (ORDER BY ${number})`;
}

type Condition = (text: Expression, value: MetricFilter['value']) => Expression;

const CONDITIONS: Record<MetricCondition, Condition> = {
  eq: isEqual,
  ne: (text, value) => sql`(${isEqual(text, value)}) IS NOT TRUE`,
  gt: (text, value) => sql`${toNumber(text)} > ${value}::float8`,
  gte: (text, value) => sql`${toNumber(text)} >= ${value}::float8`,
  lt: (text, value) => sql`${toNumber(text)} < ${value}::float8`,
  lte: (text, value) => sql`${toNumber(text)} <= ${value}::float8`,
  // Only strings start with a quote (code 34).
  contains: (text, value) =>
    sql`CASE WHEN ascii(${text}) = 34 THEN strpos(${stringContent(text)}, ${value}::text) > 0 END`,
  exists: (text) => sql`${text} IS NOT NULL`,
  missing: (text) => sql`${text} IS NULL`,
};

function isEqual(text: Expression, value: MetricFilter['value']): Expression {
  return sql`${text}::jsonb = ${JSON.stringify(value)}::jsonb`;
}

function isPlain(text: Expression): Expression {
  return sql`ascii(${text}) = 34 AND strpos(${text}, ${'\\'}::text) = 0`;
}

function stringContent(text: Expression): Expression {
  return sql`CASE WHEN ${isPlain(text)} THEN substr(${text}, 2, length(${text}) - 2)
    ELSE ${text}::json #>> '{}' END`;
}

/** The group name is the truncated string, the number or the boolean; null for objects and arrays. */
export function toGroup(text: Expression): Expression {
  return sql`CASE WHEN ascii(${text}) = 34 THEN left(${stringContent(text)}, ${LIMITS.groupText})
    WHEN ascii(${text}) BETWEEN 45 AND 57 THEN ${text}::float8::text
    WHEN ${text} IN ('true', 'false') THEN ${text} END`;
}

export function toAggregate(
  aggregate: MetricAggregate,
  text: Expression,
  number: Expression,
): Expression {
  return AGGREGATES[aggregate](text, number);
}

export function toCondition({ is, value }: MetricFilter, text: Expression): Expression {
  return CONDITIONS[is](text, value);
}

import { sql } from 'kysely';
import type { MetricAggregate, MetricCondition, MetricFilter } from '#contract/metric-query.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import { type SqlFragment, latestNumber, toNumber } from './metric-values.ts';

type Aggregate = (json: SqlFragment, number: SqlFragment) => SqlFragment;

export const AGGREGATE_EXPRESSIONS: Record<MetricAggregate, Aggregate> = {
  count: (json) => sql`count(${json})`,
  sum: (_json, number) => sql`coalesce(sum(${number}), 0)`,
  avg: (_json, number) => sql`avg(${number})`,
  min: (_json, number) => sql`min(${number})`,
  max: (_json, number) => sql`max(${number})`,
  last: (_json, number) => latestNumber(number),
};

type Condition = (json: SqlFragment, value: MetricFilter['value']) => SqlFragment;

export const CONDITIONS: Record<MetricCondition, Condition> = {
  eq: isEqual,
  ne: (json, value) => sql`(${isEqual(json, value)}) IS NOT TRUE`,
  gt: (json, value) => sql`${toNumber(json)} > ${value}::float8`,
  gte: (json, value) => sql`${toNumber(json)} >= ${value}::float8`,
  lt: (json, value) => sql`${toNumber(json)} < ${value}::float8`,
  lte: (json, value) => sql`${toNumber(json)} <= ${value}::float8`,
  // Only strings start with a quote (code 34).
  contains: (json, value) =>
    sql`CASE WHEN ascii(${json}) = 34 THEN strpos(${stringContent(json)}, ${value}::text) > 0 END`,
  exists: (json) => sql`${json} IS NOT NULL`,
  missing: (json) => sql`${json} IS NULL`,
};

function isEqual(json: SqlFragment, value: MetricFilter['value']): SqlFragment {
  const values = [value, spelledValue(value)].map((each) => JSON.stringify(each));
  return sql`${json}::jsonb = ANY (${values}::jsonb[])`;
}

/** The number or boolean that a string spells, because clients cannot tell which one was stored. */
function spelledValue(value: MetricFilter['value']): MetricFilter['value'] {
  if (typeof value !== 'string') return value;
  if (value === 'true' || value === 'false') return value === 'true';
  return value.trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : value;
}

function isUnescapedString(json: SqlFragment): SqlFragment {
  return sql`ascii(${json}) = 34 AND strpos(${json}, ${'\\'}::text) = 0`;
}

function stringContent(json: SqlFragment): SqlFragment {
  return sql`CASE WHEN ${isUnescapedString(json)} THEN substr(${json}, 2, length(${json}) - 2)
    ELSE ${json}::json #>> '{}' END`;
}

/** The group as JSON text: the truncated string, the number or the boolean; null for objects and arrays. */
export function toGroup(json: SqlFragment): SqlFragment {
  return sql`CASE WHEN ascii(${json}) = 34 THEN to_json(left(${stringContent(json)}, ${LIMITS.groupText}))::text
    WHEN ascii(${json}) BETWEEN 45 AND 57 THEN (${json}::float8 + 0)::text
    WHEN ${json} IN ('true', 'false') THEN ${json} END`;
}

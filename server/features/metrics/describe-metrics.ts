import {
  METRIC_FIELD_TYPES,
  type MetricFieldType,
  type MetricField,
} from '#contract/metric-responses.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import { cutText } from '#contract/shared/user-text.ts';
import { countCodePoints } from '#contract/text.ts';
import type { Database } from '#db/connections/handles.ts';
import { findMetrics } from '#db/queries/metrics.ts';
import { timeOf } from './format-records.ts';

const MAX_FIELDS = 2_000;
const MAX_DISTINCT_VALUES = 50;

interface FieldStats {
  path: string[];
  count: number;
  types: Set<MetricFieldType>;
  values: Set<string>;
  examples: MetricField['examples'];
  min: number | null;
  max: number | null;
}

/**
 * Returns the most frequent fields first. Does not search arrays. `truncated` means that some
 * fields are missing.
 */
function describeFields(payloads: readonly unknown[]): {
  fields: MetricField[];
  truncated: boolean;
} {
  const fieldsByPath = new Map<string, FieldStats>();
  let truncated = false;

  function collectFields(path: string[], value: unknown): void {
    if (value === null) return;
    if (isObject(value) && (path.length === 0 || Object.keys(value).length > 0)) {
      for (const [key, child] of Object.entries(value)) collectFields([...path, key], child);
      return;
    }
    const key = JSON.stringify(path);
    let field = fieldsByPath.get(key);
    if (!field) {
      const isTooLong =
        path.length > LIMITS.pathKeys || countCodePoints(path.join('')) > LIMITS.pathCharacters;
      if (isTooLong || fieldsByPath.size === MAX_FIELDS) {
        truncated = true;
        return;
      }
      field = {
        path,
        count: 0,
        types: new Set(),
        values: new Set(),
        examples: [],
        min: null,
        max: null,
      };
      fieldsByPath.set(key, field);
    }
    addValue(field, value);
  }

  for (const payload of payloads) collectFields([], payload);
  const fields = [...fieldsByPath.values()].toSorted((a, b) => b.count - a.count);
  return {
    fields: fields
      .slice(0, LIMITS.describedFields)
      .map(({ path, count, types, values, examples, min, max }) => ({
        path,
        types: METRIC_FIELD_TYPES.filter((type) => types.has(type)),
        share: count / payloads.length,
        examples,
        min,
        max,
        distinct: values.size,
      })),
    truncated: truncated || fields.length > LIMITS.describedFields,
  };
}

function addValue(field: FieldStats, value: unknown): void {
  field.count += 1;
  field.types.add(typeOf(value));
  if (typeof value === 'number') {
    field.min = Math.min(field.min ?? value, value);
    field.max = Math.max(field.max ?? value, value);
  }
  if (field.values.size === MAX_DISTINCT_VALUES) return;
  const text = JSON.stringify(value);
  if (field.values.has(text)) return;
  field.values.add(text);
  if (field.examples.length < LIMITS.examples) field.examples.push(exampleOf(value, text));
}

function typeOf(value: unknown): MetricFieldType {
  if (Array.isArray(value)) return 'array';
  return typeof value as MetricFieldType;
}

function exampleOf(value: unknown, text: string): string | number | boolean {
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  return cutText(typeof value === 'string' ? value : text, LIMITS.exampleText);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const SAMPLE = { limit: 1_000, maxBytes: 1_048_576 };

/** Describes a sample of the newest metrics. In the result, `metrics` is the size of the sample. */
export async function getMetricFields(
  db: Database,
  range: { projectId: string; since?: string | undefined; until?: string | undefined },
) {
  const { metrics } = await findMetrics(db, { ...range, ...SAMPLE, newestFirst: true });
  const payloads = metrics.map(({ payload }) => JSON.parse(payload) as unknown);
  const oldest = metrics.at(-1);
  return {
    metrics: metrics.length,
    oldest_at: oldest ? timeOf(oldest) : null,
    ...describeFields(payloads),
  };
}

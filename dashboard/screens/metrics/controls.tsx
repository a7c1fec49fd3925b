import type { Answer, owner } from '#dashboard/api/api.ts';
import { Field } from '#dashboard/parts/field.tsx';
import {
  ask,
  FILTERS,
  MEASURES,
  needsValue,
  pathWords,
  type Place,
  type Question,
  question,
  rangeNameOf,
  RANGES,
} from './question.ts';

type Fields = Answer<typeof owner.metrics.describeMetrics>['fields'];

const AGGREGATES = [
  ['sum', 'Sum'],
  ['avg', 'Average'],
  ['min', 'Minimum'],
  ['max', 'Maximum'],
  ['p50', 'Median'],
  ['p90', '90th percentile'],
  ['p95', '95th percentile'],
  ['p99', '99th percentile'],
  ['last', 'Last'],
  ['count', 'Count'],
  ['distinct', 'Distinct values'],
] as const;

const BUCKETS = [
  ['', 'Automatic'],
  ['minute', 'Minute'],
  ['hour', 'Hour'],
  ['day', 'Day'],
  ['week', 'Week'],
  ['month', 'Month'],
] as const;

const CONDITIONS = [
  ['eq', 'is'],
  ['ne', 'is not'],
  ['gt', 'is greater than'],
  ['gte', 'is at least'],
  ['lt', 'is less than'],
  ['lte', 'is at most'],
  ['contains', 'contains'],
  ['exists', 'exists'],
  ['missing', 'is missing'],
] as const;

const THEMSELVES = [['', 'Metrics (count)']] as const;
const NOTHING_ELSE = [
  ['', 'Add measure'],
  ['[]', 'Metrics (count)'],
] as const;

/** Controls of the query: range, measures, group, filters. Every choice is part of the address. */
export function Controls({ fields }: { fields: Fields }) {
  const asked = question();
  const paths = fields.map(({ path }) => [JSON.stringify(path), pathWords(path)] as const);
  const range = rangeNameOf(asked);
  return (
    <div class="chips" role="group" aria-label="Query">
      {inUse(MEASURES, 'field').map((at) => (
        <Measure key={at} at={at} fields={fields} paths={paths} />
      ))}
      <Choice name="group" label="Group by" options={[['', 'None'], ...paths]} />
      {inUse(FILTERS, 'where').map((at) => (
        <Filter key={at} at={at} paths={paths} />
      ))}
      <div class="chips when">
        <Field
          name="range"
          label="Range"
          value={range ?? ''}
          onValue={(value) => ask({ range: value, since: undefined, until: undefined })}
          options={[
            ...Object.entries(RANGES).map(([name, [words]]) => [name, words] as const),
            ...(range ? [] : [['', 'Zoomed range'] as const]),
          ]}
        />
        <Choice name="bucket" label="Interval" options={BUCKETS} />
        <button
          type="button"
          class="chip"
          aria-pressed={asked.compare === '1'}
          onClick={() => ask({ compare: asked.compare === '1' ? undefined : '1' })}
        >
          Compare<span class="unseen"> to previous period</span>
        </button>
        {!range && (
          <button
            type="button"
            class="chip"
            onClick={() => ask({ since: undefined, until: undefined })}
          >
            Zoom out
          </button>
        )}
      </div>
    </div>
  );
}

/** The places that something is asked at, the first, and one more as soon as that is taken. */
function inUse(all: readonly Place[], name: 'field' | 'where'): Place[] {
  const asked = question();
  const free = asked[name] && all.find((at) => !asked[`${name}${at}`]);
  return all.filter((at) => !at || at === free || asked[`${name}${at}`]);
}

type Options = readonly (readonly [value: string, label: string])[];

function Measure({ at, fields, paths }: { at: Place; fields: Fields; paths: Options }) {
  const field = question()[`field${at}`];
  return (
    <>
      <Field
        name={`field${at}`}
        label={at ? `Field ${at}` : 'Field'}
        value={field ?? ''}
        onValue={(chosen) =>
          ask({
            [`field${at}`]: chosen || undefined,
            [`aggregate${at}`]: suggested(fields, chosen),
          })
        }
        options={[...(at ? NOTHING_ELSE : THEMSELVES), ...paths]}
      />
      {(!at || field) && (
        <Choice
          name={`aggregate${at}`}
          label={`Measure ${at}`}
          disabled={!field}
          usually={field && field !== '[]' ? 'sum' : 'count'}
          options={AGGREGATES}
        />
      )}
    </>
  );
}

function Filter({ at, paths }: { at: Place; paths: Options }) {
  const asked = question();
  const where = asked[`where${at}`];
  return (
    <>
      <Choice
        name={`where${at}`}
        label={at ? `Filter ${at}` : 'Filter'}
        options={[['', where ? 'No filter' : 'Add filter'], ...paths]}
      />
      {where && (
        <Choice name={`is${at}`} label={`Condition ${at}`} usually="eq" options={CONDITIONS} />
      )}
      {where && needsValue(asked[`is${at}`]) && (
        <Field
          name={`value${at}`}
          label={`Value ${at}`}
          value={asked[`value${at}`] ?? ''}
          onValue={(value) => ask({ [`value${at}`]: value }, { replace: true })}
        />
      )}
    </>
  );
}

/** A choice of what is asked; what is usual need not be in the address. */
function Choice({
  name,
  usually = '',
  ...rest
}: {
  name: keyof Question;
  label: string;
  usually?: string;
  disabled?: boolean;
  options: Options;
}) {
  return (
    <Field
      {...rest}
      name={name}
      value={question()[name] ?? usually}
      onValue={(value) => ask({ [name]: value || undefined })}
    />
  );
}

/** Suggested measure of a field: a sum of numbers, else how many there are. */
function suggested(fields: Fields, field: string): string | undefined {
  const found = fields.find(({ path }) => JSON.stringify(path) === field);
  return found && !found.types.includes('number') ? 'count' : undefined;
}

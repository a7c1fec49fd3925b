import type { Answer, owner } from '#dashboard/api/api.ts';
import { Field } from '#dashboard/parts/field.tsx';
import {
  updateQuery,
  FILTER_SUFFIXES,
  MEASURE_SUFFIXES,
  needsValue,
  formatPath,
  type ParamSuffix,
  type QueryParams,
  queryParams,
  rangeName,
  RANGES,
} from './metrics-query.ts';

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

const COUNT_OPTION = [['', 'Metrics (count)']] as const;
const ADD_MEASURE_OPTIONS = [
  ['', 'Add measure'],
  ['[]', 'Metrics (count)'],
] as const;

/** Controls of the query: range, measures, group, filters. Every choice is part of the address. */
export function QueryControls({ fields }: { fields: Fields }) {
  const asked = queryParams();
  const paths = fields.map(({ path }) => [JSON.stringify(path), formatPath(path)] as const);
  const range = rangeName(asked);
  return (
    <div class="chips" role="group" aria-label="Query">
      {visibleSuffixes(MEASURE_SUFFIXES, 'field').map((at) => (
        <Measure key={at} at={at} fields={fields} paths={paths} />
      ))}
      <QuerySelect name="group" label="Group by" options={[['', 'None'], ...paths]} />
      {visibleSuffixes(FILTER_SUFFIXES, 'where').map((at) => (
        <Filter key={at} at={at} paths={paths} />
      ))}
      <div class="chips when">
        <Field
          name="range"
          label="Range"
          value={range ?? ''}
          onValue={(value) => updateQuery({ range: value, since: undefined, until: undefined })}
          options={[
            ...Object.entries(RANGES).map(([name, [words]]) => [name, words] as const),
            ...(range ? [] : [['', 'Zoomed range'] as const]),
          ]}
        />
        <QuerySelect name="bucket" label="Interval" options={BUCKETS} />
        <button
          type="button"
          class="chip"
          aria-pressed={asked.compare === '1'}
          onClick={() => updateQuery({ compare: asked.compare === '1' ? undefined : '1' })}
        >
          Compare<span class="unseen"> to previous period</span>
        </button>
        {!range && (
          <button
            type="button"
            class="chip"
            onClick={() => updateQuery({ since: undefined, until: undefined })}
          >
            Zoom out
          </button>
        )}
      </div>
    </div>
  );
}

/** The places that something is asked at, the first, and one more as soon as that is taken. */
function visibleSuffixes(all: readonly ParamSuffix[], name: 'field' | 'where'): ParamSuffix[] {
  const asked = queryParams();
  const free = asked[name] && all.find((at) => !asked[`${name}${at}`]);
  return all.filter((at) => !at || at === free || asked[`${name}${at}`]);
}

type Options = readonly (readonly [value: string, label: string])[];

function Measure({ at, fields, paths }: { at: ParamSuffix; fields: Fields; paths: Options }) {
  const field = queryParams()[`field${at}`];
  return (
    <>
      <Field
        name={`field${at}`}
        label={at ? `Field ${at}` : 'Field'}
        value={field ?? ''}
        onValue={(chosen) =>
          updateQuery({
            [`field${at}`]: chosen || undefined,
            [`aggregate${at}`]: defaultAggregate(fields, chosen),
          })
        }
        options={[...(at ? ADD_MEASURE_OPTIONS : COUNT_OPTION), ...paths]}
      />
      {(!at || field) && (
        <QuerySelect
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

function Filter({ at, paths }: { at: ParamSuffix; paths: Options }) {
  const asked = queryParams();
  const where = asked[`where${at}`];
  return (
    <>
      <QuerySelect
        name={`where${at}`}
        label={at ? `Filter ${at}` : 'Filter'}
        options={[['', where ? 'No filter' : 'Add filter'], ...paths]}
      />
      {where && (
        <QuerySelect name={`is${at}`} label={`Condition ${at}`} usually="eq" options={CONDITIONS} />
      )}
      {where && needsValue(asked[`is${at}`]) && (
        <Field
          name={`value${at}`}
          label={`Value ${at}`}
          value={asked[`value${at}`] ?? ''}
          onValue={(value) => updateQuery({ [`value${at}`]: value }, { replace: true })}
        />
      )}
    </>
  );
}

/** A choice of what is asked; what is usual need not be in the address. */
function QuerySelect({
  name,
  usually = '',
  ...rest
}: {
  name: keyof QueryParams;
  label: string;
  usually?: string;
  disabled?: boolean;
  options: Options;
}) {
  return (
    <Field
      {...rest}
      name={name}
      value={queryParams()[name] ?? usually}
      onValue={(value) => updateQuery({ [name]: value || undefined })}
    />
  );
}

/** Suggested measure of a field: a sum of numbers, else how many there are. */
function defaultAggregate(fields: Fields, field: string): string | undefined {
  const found = fields.find(({ path }) => JSON.stringify(path) === field);
  return found && !found.types.includes('number') ? 'count' : undefined;
}

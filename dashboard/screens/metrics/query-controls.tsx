import type { ResponseOf, owner } from '#dashboard/api/api.ts';
import { Field } from '#dashboard/components/field.tsx';
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

type Fields = ResponseOf<typeof owner.metrics.describeMetrics>['fields'];

const AGGREGATE_OPTIONS = [
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

const BUCKET_OPTIONS = [
  ['', 'Automatic'],
  ['minute', 'Minute'],
  ['hour', 'Hour'],
  ['day', 'Day'],
  ['week', 'Week'],
  ['month', 'Month'],
] as const;

const CONDITION_OPTIONS = [
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

const FIRST_MEASURE_OPTIONS = [['', 'Metrics (count)']] as const;
const ADD_MEASURE_OPTIONS = [
  ['', 'Add measure'],
  ['[]', 'Metrics (count)'],
] as const;

export function QueryControls({ fields }: { fields: Fields }) {
  const params = queryParams();
  const paths = fields.map(({ path }) => [JSON.stringify(path), formatPath(path)] as const);
  const range = rangeName(params);
  return (
    <div class="chips" role="group" aria-label="Query">
      {visibleSuffixes(MEASURE_SUFFIXES, 'field').map((suffix) => (
        <Measure key={suffix} suffix={suffix} fields={fields} paths={paths} />
      ))}
      <QuerySelect name="group" label="Group by" options={[['', 'None'], ...paths]} />
      {visibleSuffixes(FILTER_SUFFIXES, 'where').map((suffix) => (
        <Filter key={suffix} suffix={suffix} paths={paths} />
      ))}
      <div class="chips when">
        <Field
          name="range"
          label="Range"
          value={range ?? ''}
          onValue={(value) => updateQuery({ range: value, since: undefined, until: undefined })}
          options={[
            ...Object.entries(RANGES).map(([name, [label]]) => [name, label] as const),
            ...(range ? [] : [['', 'Zoomed range'] as const]),
          ]}
        />
        <QuerySelect name="bucket" label="Interval" options={BUCKET_OPTIONS} />
        <button
          type="button"
          class="chip"
          aria-pressed={params.compare === '1'}
          onClick={() => updateQuery({ compare: params.compare === '1' ? undefined : '1' })}
        >
          Compare<span class="visually-hidden"> to previous period</span>
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

/** Suffixes of the inputs to show: the first, those in use, and the next unused one. */
function visibleSuffixes(suffixes: readonly ParamSuffix[], name: 'field' | 'where'): ParamSuffix[] {
  const params = queryParams();
  const nextFreeSuffix = params[name] && suffixes.find((suffix) => !params[`${name}${suffix}`]);
  return suffixes.filter(
    (suffix) => !suffix || suffix === nextFreeSuffix || params[`${name}${suffix}`],
  );
}

type Options = readonly (readonly [value: string, label: string])[];

function Measure({
  suffix,
  fields,
  paths,
}: {
  suffix: ParamSuffix;
  fields: Fields;
  paths: Options;
}) {
  const field = queryParams()[`field${suffix}`];
  return (
    <>
      <Field
        name={`field${suffix}`}
        label={suffix ? `Field ${suffix}` : 'Field'}
        value={field ?? ''}
        onValue={(newField) =>
          updateQuery({
            [`field${suffix}`]: newField || undefined,
            [`aggregate${suffix}`]: defaultAggregate(fields, newField),
          })
        }
        options={[...(suffix ? ADD_MEASURE_OPTIONS : FIRST_MEASURE_OPTIONS), ...paths]}
      />
      {(!suffix || field) && (
        <QuerySelect
          name={`aggregate${suffix}`}
          label={`Measure ${suffix}`}
          disabled={!field}
          defaultValue={field && field !== '[]' ? 'sum' : 'count'}
          options={AGGREGATE_OPTIONS}
        />
      )}
    </>
  );
}

function Filter({ suffix, paths }: { suffix: ParamSuffix; paths: Options }) {
  const params = queryParams();
  const filterPath = params[`where${suffix}`];
  return (
    <>
      <QuerySelect
        name={`where${suffix}`}
        label={suffix ? `Filter ${suffix}` : 'Filter'}
        options={[['', filterPath ? 'No filter' : 'Add filter'], ...paths]}
      />
      {filterPath && (
        <QuerySelect
          name={`is${suffix}`}
          label={`Condition ${suffix}`}
          defaultValue="eq"
          options={CONDITION_OPTIONS}
        />
      )}
      {filterPath && needsValue(params[`is${suffix}`]) && (
        <Field
          name={`value${suffix}`}
          label={`Value ${suffix}`}
          value={params[`value${suffix}`] ?? ''}
          onValue={(value) => updateQuery({ [`value${suffix}`]: value }, { replace: true })}
        />
      )}
    </>
  );
}

/** A select for one URL parameter. Shows `defaultValue` if the URL does not have the parameter. */
function QuerySelect({
  name,
  defaultValue = '',
  ...rest
}: {
  name: keyof QueryParams;
  label: string;
  defaultValue?: string;
  disabled?: boolean;
  options: Options;
}) {
  return (
    <Field
      {...rest}
      name={name}
      value={queryParams()[name] ?? defaultValue}
      onValue={(value) => updateQuery({ [name]: value || undefined })}
    />
  );
}

/**
 * Returns `count` for a field without numbers. Otherwise returns undefined, so the select shows its
 * default.
 */
function defaultAggregate(fields: Fields, field: string): string | undefined {
  const selectedField = fields.find(({ path }) => JSON.stringify(path) === field);
  return selectedField && !selectedField.types.includes('number') ? 'count' : undefined;
}

import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { ResponseOf, owner } from '#dashboard/api/api.ts';
import { Field } from '#dashboard/components/field.tsx';
import { Icon } from '#dashboard/components/icon.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { visuallyHidden } from '#dashboard/components/visually-hidden.tsx';
import { t } from '#dashboard/translate.ts';
import {
  updateQuery,
  FILTER_SUFFIXES,
  MEASURE_SUFFIXES,
  defaultAggregateOf,
  needsValue,
  formatPath,
  type ParamSuffix,
  type QueryParams,
  queryParams,
  rangeName,
  RANGES,
} from './metrics-query.ts';
import { AGGREGATE_LABELS } from './result-text.ts';

type MetricFields = ResponseOf<typeof owner.metrics.getMetricFields>['fields'];

const BUCKET_OPTIONS = [
  ['', t('Automatic')],
  ['minute', t('Minute')],
  ['hour', t('Hour')],
  ['day', t('Day')],
  ['week', t('Week')],
  ['month', t('Month')],
] as const;

const CONDITION_OPTIONS = [
  ['eq', t('is')],
  ['ne', t('is not')],
  ['gt', t('is greater than')],
  ['gte', t('is at least')],
  ['lt', t('is less than')],
  ['lte', t('is at most')],
  ['contains', t('contains')],
  ['exists', t('exists')],
  ['missing', t('is missing')],
] as const;

const FIRST_MEASURE_OPTIONS = [['', t('Metrics (count)')]] as const;
const ADD_MEASURE_OPTIONS = [
  ['', t('Add measure')],
  ['[]', t('Metrics (count)')],
] as const;

export function QueryControls({
  fields,
  children,
}: {
  fields: MetricFields;
  children: ComponentChildren;
}) {
  const params = queryParams();
  const paths = fields.map(({ path }) => [JSON.stringify(path), formatPath(path)] as const);
  const range = rangeName(params);
  const isUnfolded = useSignal(false);
  return (
    <div class="query" role="group" aria-label={t('Query')}>
      <button
        type="button"
        class="quiet only-narrow"
        aria-expanded={isUnfolded.value}
        onClick={() => (isUnfolded.value = !isUnfolded.value)}
      >
        <Icon path={ICON_PATHS.edit} />
        {t('Measure, groups and filters')}
      </button>
      <div class={isUnfolded.value ? 'chips' : 'chips folded'}>
        {visibleSuffixes(MEASURE_SUFFIXES, 'field').map((suffix) => (
          <Measure key={suffix} suffix={suffix} fields={fields} paths={paths} />
        ))}
        <QuerySelect
          name="group"
          label={t('Group by')}
          options={[['', t('group|None')], ...paths]}
        />
        {visibleSuffixes(FILTER_SUFFIXES, 'where').map((suffix) => (
          <Filter key={suffix} suffix={suffix} paths={paths} />
        ))}
      </div>
      <div class="chips when">
        {children}
        <Field
          class="unlabeled"
          name="range"
          label={t('Range')}
          value={range ?? ''}
          onValue={(value) => updateQuery({ range: value, since: undefined, until: undefined })}
          options={[
            ...Object.entries(RANGES).map(([name, [label]]) => [name, label] as const),
            ...(range ? [] : [['', t('Zoomed range')] as const]),
          ]}
        />
        <QuerySelect name="bucket" label={t('Interval')} options={BUCKET_OPTIONS} />
        <button
          type="button"
          class="chip"
          aria-pressed={params.compare === '1'}
          onClick={() => updateQuery({ compare: params.compare === '1' ? undefined : '1' })}
        >
          {t.rich('Compare<more> to previous period</more>', {
            more: visuallyHidden,
          })}
        </button>
        {!range && (
          <button
            type="button"
            class="chip"
            onClick={() => updateQuery({ since: undefined, until: undefined })}
          >
            {t('Zoom out')}
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
  fields: MetricFields;
  paths: Options;
}) {
  const field = queryParams()[`field${suffix}`];
  return (
    <>
      <Field
        class={suffix && !field ? 'dashed' : undefined}
        name={`field${suffix}`}
        label={suffix ? t('Field {number}', { number: suffix }) : t('Field')}
        value={field ?? ''}
        onValue={(newField) =>
          updateQuery({
            [`field${suffix}`]: newField || undefined,
            [`aggregate${suffix}`]: keepAggregate(fields, {
              oldField: field,
              newField,
              aggregate: queryParams()[`aggregate${suffix}`],
            }),
          })
        }
        options={[...(suffix ? ADD_MEASURE_OPTIONS : FIRST_MEASURE_OPTIONS), ...paths]}
      />
      {(!suffix || field) && (
        <QuerySelect
          name={`aggregate${suffix}`}
          label={suffix ? t('Measure {number}', { number: suffix }) : t('Measure')}
          disabled={!field}
          defaultValue={defaultAggregateOf(field)}
          options={Object.entries(AGGREGATE_LABELS)}
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
        class={filterPath ? undefined : 'dashed'}
        name={`where${suffix}`}
        label={suffix ? t('Filter {number}', { number: suffix }) : t('Filter')}
        options={[['', filterPath ? t('No filter') : t('Add filter')], ...paths]}
      />
      {filterPath && (
        <QuerySelect
          name={`is${suffix}`}
          label={suffix ? t('Condition {number}', { number: suffix }) : t('Condition')}
          defaultValue="eq"
          options={CONDITION_OPTIONS}
        />
      )}
      {filterPath && needsValue(params[`is${suffix}`]) && (
        <Field
          name={`value${suffix}`}
          label={suffix ? t('Value {number}', { number: suffix }) : t('Value')}
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
  class?: 'dashed' | undefined;
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

/** Keeps the measure if the new field has it. Undefined is the usual one of a field. */
function keepAggregate(
  fields: MetricFields,
  {
    oldField,
    newField,
    aggregate,
  }: { oldField: string | undefined; newField: string; aggregate: string | undefined },
): string | undefined {
  const isNumber = (field: string | undefined) =>
    fields.find(({ path }) => JSON.stringify(path) === field)?.types.includes('number');
  if (isNumber(newField)) return isNumber(oldField) ? aggregate : undefined;
  if (isNumber(newField) === undefined) return undefined;
  return aggregate === 'distinct' ? aggregate : 'count';
}

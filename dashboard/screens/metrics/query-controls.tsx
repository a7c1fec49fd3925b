import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { ResponseOf, owner } from '#dashboard/api/api.ts';
import { Field } from '#dashboard/components/field.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { Icon } from '#dashboard/components/icon.tsx';
import { t } from '#dashboard/translate.ts';
import {
  updateQuery,
  FILTER_SUFFIXES,
  needsValue,
  formatPath,
  parseMeasure,
  type FilterSuffix,
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

export function QueryControls({
  fields,
  children,
}: {
  fields: MetricFields;
  children: ComponentChildren;
}) {
  const paths = fields.map(({ path }) => [JSON.stringify(path), formatPath(path)] as const);
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
        <Measure fields={fields} paths={paths} />
        <QuerySelect
          name="group"
          label={t('Group by')}
          options={[['', t('group|None')], ...paths]}
        />
        {visibleSuffixes().map((suffix) => (
          <Filter key={suffix} suffix={suffix} paths={paths} />
        ))}
      </div>
      <div class="chips when">
        {children}
        <Field
          class="unlabeled"
          name="range"
          label={t('Range')}
          value={rangeName(queryParams())}
          onValue={(range) => updateQuery({ range })}
          options={Object.entries(RANGES).map(([name, [label]]) => [name, label] as const)}
        />
        <QuerySelect name="bucket" label={t('Interval')} options={BUCKET_OPTIONS} />
      </div>
    </div>
  );
}

/** Suffixes of the filters to show: the first, those in use, and the next unused one. */
function visibleSuffixes(): FilterSuffix[] {
  const params = queryParams();
  const nextFreeSuffix =
    params.where && FILTER_SUFFIXES.find((suffix) => !params[`where${suffix}`]);
  return FILTER_SUFFIXES.filter(
    (suffix) => !suffix || suffix === nextFreeSuffix || params[`where${suffix}`],
  );
}

type Options = readonly (readonly [value: string, label: string])[];

function Measure({ fields, paths }: { fields: MetricFields; paths: Options }) {
  const { field, aggregate } = queryParams();
  return (
    <>
      <Field
        name="field"
        label={t('Field')}
        value={field ?? ''}
        onValue={(newField) =>
          updateQuery({
            field: newField || undefined,
            aggregate: keepAggregate(fields, { oldField: field, newField, aggregate }),
          })
        }
        options={[['', t('Metrics (count)')], ...paths]}
      />
      <QuerySelect
        name="aggregate"
        label={t('Measure')}
        disabled={!field}
        defaultValue={parseMeasure({ field }).aggregate}
        options={Object.entries(AGGREGATE_LABELS)}
      />
    </>
  );
}

function Filter({ suffix, paths }: { suffix: FilterSuffix; paths: Options }) {
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
  return 'count';
}

import type { Answer, owner } from '../../api/api.ts';
import { Field } from '../../parts/field.tsx';
import { Switch } from '../../parts/switch.tsx';
import { ask, pathWords, type Question, question, rangeNameOf, RANGES } from './question.ts';

type Fields = Answer<typeof owner.metrics.describeMetrics>['fields'];

const AGGREGATES = [
  ['sum', 'Sum'],
  ['avg', 'Average'],
  ['min', 'Least'],
  ['max', 'Greatest'],
  ['p50', 'Median'],
  ['p90', '90th percentile'],
  ['p95', '95th percentile'],
  ['p99', '99th percentile'],
  ['last', 'Last'],
  ['count', 'How many'],
  ['distinct', 'How many different'],
] as const;

const BUCKETS = [
  ['', 'As it fits'],
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
  ['exists', 'is there'],
  ['missing', 'is missing'],
] as const;

/** What is asked: range, measure, group, filter. Every choice is part of the address. */
export function Controls({ fields }: { fields: Fields }) {
  const asked = question();
  const paths = fields.map(({ path }) => [JSON.stringify(path), pathWords(path)] as const);
  const range = rangeNameOf(asked);
  const hasValue = asked.is !== 'exists' && asked.is !== 'missing';
  return (
    <div class="controls">
      <Field
        name="range"
        label="Range"
        value={range ?? ''}
        onValue={(value) => ask({ range: value, since: undefined, until: undefined })}
        options={[
          ...Object.entries(RANGES).map(([name, [words]]) => [name, words] as const),
          ...(range ? [] : [['', 'As zoomed in'] as const]),
        ]}
      />
      <Field
        name="field"
        label="Field"
        value={asked.field ?? ''}
        onValue={(field) => ask({ field: field || undefined, aggregate: suggested(fields, field) })}
        options={[['', 'The metrics themselves'], ...paths]}
      />
      <Choice
        name="aggregate"
        label="Measure"
        disabled={!asked.field}
        usually={asked.field ? 'sum' : 'count'}
        options={AGGREGATES}
      />
      <Choice name="group" label="Group by" options={[['', 'Nothing'], ...paths]} />
      <Choice name="bucket" label="One point for each" options={BUCKETS} />
      <Choice name="where" label="Only where" options={[['', 'Anything'], ...paths]} />
      {asked.where && <Choice name="is" label="Condition" usually="eq" options={CONDITIONS} />}
      {asked.where && hasValue && (
        <Field
          name="value"
          label="Value"
          value={asked.value ?? ''}
          onValue={(value) => ask({ value }, { replace: true })}
        />
      )}
      <Switch
        label="Compare with the time before"
        on={asked.compare === '1'}
        onSwitch={(on) => ask({ compare: on ? '1' : undefined })}
      />
      {!range && (
        <button type="button" onClick={() => ask({ since: undefined, until: undefined })}>
          Zoom out
        </button>
      )}
    </div>
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
  options: readonly (readonly [value: string, label: string])[];
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

/** What most people want of a field: a sum of numbers, else how many there are. */
function suggested(fields: Fields, field: string): string | undefined {
  const found = fields.find(({ path }) => JSON.stringify(path) === field);
  return found && !found.types.includes('number') ? 'count' : undefined;
}

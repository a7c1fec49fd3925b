import { type Answer, type owner } from '../../api/api.ts';
import { Field } from '../../parts/field.tsx';
import { Switch } from '../../parts/switch.tsx';
import { ask, pathWords, question, rangeNameOf, RANGES } from './question.ts';

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
  const options = fields.map(({ path }) => [JSON.stringify(path), pathWords(path)] as const);
  const range = rangeNameOf(asked);
  const set = (name: keyof typeof asked) => (value: string) => ask({ [name]: value || undefined });
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
        options={[['', 'The metrics themselves'], ...options]}
      />
      <Field
        name="aggregate"
        label="Measure"
        disabled={!asked.field}
        value={asked.field ? (asked.aggregate ?? 'sum') : 'count'}
        onValue={set('aggregate')}
        options={AGGREGATES}
      />
      <Field
        name="group"
        label="Group by"
        value={asked.group ?? ''}
        onValue={set('group')}
        options={[['', 'Nothing'], ...options]}
      />
      <Field
        name="bucket"
        label="One point for each"
        value={asked.bucket ?? ''}
        onValue={set('bucket')}
        options={BUCKETS}
      />
      <Field
        name="where"
        label="Only where"
        value={asked.where ?? ''}
        onValue={set('where')}
        options={[['', 'Anything'], ...options]}
      />
      {asked.where && (
        <Field
          name="is"
          label="Condition"
          value={asked.is ?? 'eq'}
          onValue={set('is')}
          options={CONDITIONS}
        />
      )}
      {asked.where && hasValue && (
        <Field name="value" label="Value" value={asked.value ?? ''} onValue={set('value')} />
      )}
      <Switch
        label="Compare with the time before"
        on={asked.compare === '1'}
        onSwitch={(on) => ask({ compare: on ? '1' : undefined })}
      />
    </div>
  );
}

/** What most people want of a field: a sum of numbers, else how many there are. */
function suggested(fields: Fields, field: string): string | undefined {
  const found = fields.find(({ path }) => JSON.stringify(path) === field);
  return found && !found.types.includes('number') ? 'count' : undefined;
}

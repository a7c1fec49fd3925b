import { useSignal } from '@preact/signals';
import type { ComponentChild } from 'preact';
import { useRef } from 'preact/hooks';
import {
  type BlockField,
  type BlockFieldType,
  isFieldUsed,
  maxItemsOf,
  maxLengthFor,
} from '#contract/shared/blocks.ts';
import { DAY_MS } from '#contract/shared/durations.ts';
import { PAGE_LANGUAGES } from '#contract/shared/page-languages.ts';
import { api, owner } from '#dashboard/api/api.ts';
import { Field, type FieldProps } from '#dashboard/components/field.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { Icon } from '#dashboard/components/icon.tsx';
import { announce } from '#dashboard/components/messages.tsx';
import { Switch } from '#dashboard/components/switch.tsx';
import { useAsync } from '#dashboard/components/use-async.ts';
import { timeZoneOptions } from '#dashboard/time-zones.ts';
import { t } from '#dashboard/translate.ts';
import { exceptionsOf } from '#page/fields/event-dates.ts';
import { DragHandle, dragClass } from './drag-handle.tsx';
import { IconInput } from './icon-input.tsx';
import { PictureField } from './picture-field.tsx';
import { listFull, PictureList } from './picture-list.tsx';
import { activeUrlPath, missingError, timeError, urlError } from './validation.ts';
import { isFediverseProfile } from './web-address.ts';
import { withScheme, withoutDoubledScheme } from './web-address.ts';
import {
  formatDay,
  fromFieldTime,
  isDate,
  isOver,
  moveEnd,
  nextDatesOf,
  toFieldTime,
  withAllDay,
} from './zoned-time.ts';

/** The fields of a block, or of a list item inside a block. */
type FieldValues = Readonly<Record<string, unknown>>;

interface FieldInputProps {
  /** Block id, followed by the field name and index for a list item: `<id>.items.0`. */
  path: string;
  name: string;
  field: BlockField;
  label: string;
  values: FieldValues;
  onFieldsChange: (changes: FieldValues) => void;
}

interface InputProps extends FieldInputProps {
  value: unknown;
  onValue: (value: unknown) => void;
}

type TextInputProps = Pick<FieldProps, 'name' | 'label' | 'value' | 'onValue'> & {
  hint: string | undefined;
};

const INPUTS_BY_TYPE: Readonly<Record<BlockFieldType, (props: InputProps) => ComponentChild>> = {
  text: (props) => <Field {...textInput(props)} maxLength={maxLengthFor(props.field)} />,
  lines: (props) => (
    <Field
      {...textInput(props)}
      maxLength={maxLengthFor(props.field)}
      rows={4}
      error={missingError(props.field, props.label, asText(props.value))}
    />
  ),
  markdown: (props) => (
    <Field {...textInput(props)} maxLength={maxLengthFor(props.field)} rows={4} />
  ),
  url: UrlInput,
  icon: (props) => <IconInput {...textInput(props)} />,
  picture: PictureInput,
  time: TimeInput,
  zone: ZoneInput,
  language: (props) => (
    <Field {...textInput(props)} options={languageOptions(asText(props.value))} />
  ),
  flag: ({ field, label, value, onValue }) => (
    <Switch
      label={
        <>
          {label} {field.help && <span class="hint">{field.help}</span>}
        </>
      }
      checked={typeof value === 'boolean' ? value : field.default === true}
      onChange={onValue}
    />
  ),
  number: (props) => (
    <Field
      {...textInput(props)}
      type="number"
      hint={rangeHint(props.field)}
      onValue={(newValue) => props.onValue(newValue === '' ? undefined : Number(newValue))}
    />
  ),
  choice: (props) => {
    const options = Object.entries(props.field.options ?? {});
    // Pages use the first option if none is stored.
    return (
      <Field
        {...textInput(props)}
        value={asText(props.value) || options[0]![0]}
        options={options}
      />
    );
  },
  project: (props) => <ProjectInput {...textInput(props)} />,
  metric: (props) => (
    <MetricInput {...textInput(props)} projectId={asText(props.values['project'])} />
  ),
  days: DaysInput,
  list: (props) =>
    props.field.itemFields?.['url']?.type === 'picture' ? (
      <PictureList blockId={props.path} {...props} />
    ) : (
      <ListInput {...props} />
    ),
};

/** Only Mastodon and its relatives ask whether a profile links back, so others have no switch. */
export function isFieldShown(
  values: Readonly<Record<string, unknown>>,
  name: string,
  field: BlockField,
): boolean {
  if (!isFieldUsed(values, field)) return false;
  return name !== 'me' || values['me'] === false || isFediverseProfile(String(values['url']));
}

/** If the value is stored under an alias of the field, the input edits that alias. */
export function FieldInput(props: FieldInputProps) {
  const { field, values, onFieldsChange } = props;
  const names = [props.name, ...(field.aliases ?? [])];
  const name = names.find((alias) => values[alias] !== undefined) ?? props.name;
  const Input = INPUTS_BY_TYPE[field.type];
  return (
    <Input
      {...props}
      name={name}
      value={values[name]}
      onValue={(value) => onFieldsChange({ [name]: value })}
    />
  );
}

function textInput({ path, name, field, label, value, onValue }: InputProps): TextInputProps {
  return {
    name: `${path}.${name}`,
    label,
    hint: field.help,
    value: asText(value),
    // A required text is sent even if it is empty: the API refuses some blocks without it.
    onValue: (text) => onValue(text === '' && !field.required ? undefined : text),
  };
}

/** The start of an event or countdown has a switch for whole days. */
function TimeInput(props: InputProps) {
  const { field, values, onValue, onFieldsChange } = props;
  const value = toFieldTime(values, props.value);
  // An empty end is like the start. While a date is typed, its input is empty, too.
  const time = value || toFieldTime(values, values['starts_at']);
  const hasDate = useSignal(false);
  if (time) hasDate.value = field.isDay === true || isDate(time);
  const earlierValue = useSignal(value);
  if (value) earlierValue.value = value;
  // So that turning “All day” off brings the times of day back.
  const valuesWithTimes = useSignal(values);
  const changeAllDay = (isAllDay: boolean) => {
    hasDate.value = isAllDay;
    if (isAllDay) valuesWithTimes.value = values;
    if (value || values['ends_at'])
      onFieldsChange(withAllDay(values, isAllDay, valuesWithTimes.value));
    // Today, so that the end asks for a date, too.
    else if (isAllDay) onValue(new Date().toLocaleDateString('sv'));
  };
  const input = textInput(props);
  return (
    <>
      <Field
        {...input}
        label={field.after === 'starts_at' ? `${input.label} ${t('(optional)')}` : input.label}
        hint={
          field.required && isOver(values) ? (
            <strong>{t('This event is over.')}</strong>
          ) : (
            field.help
          )
        }
        type={hasDate.value ? 'date' : 'datetime-local'}
        value={value}
        // An empty input opens its calendar there.
        min={field.after && toFieldTime(values, values[field.after]).slice(0, field.isDay && 10)}
        error={timeError(values, props.name)}
        onValue={(newValue) =>
          onFieldsChange({
            [props.name]: fromFieldTime(values, newValue),
            ...(field.required && moveEnd(values, earlierValue.value, newValue)),
          })
        }
      />
      {field.required && (
        <Switch label={t('All day')} checked={hasDate.value} onChange={changeAllDay} />
      )}
    </>
  );
}

/** The dates of a repeating event in the next year, and earlier exceptions. A pressed one does not take place. */
function DaysInput({ name, field, label, values, value, onValue }: InputProps) {
  const entries = Array.isArray(value) ? value.map(String) : [];
  // If the start was moved, some may no longer be dates of the event.
  const exceptions = exceptionsOf(values);
  const days = entries.filter((_day, index) => exceptions[index] !== undefined);
  const isOpen = useRef(days.length > 0).current;
  const dates = nextDatesOf({ ...values, [name]: [] }, new Date(), maxItemsOf(field)) ?? [];
  const next = dates.filter((date) => Number(date) - Number(dates[0]) < 400 * DAY_MS);
  const shown = new Set([...days, ...next.map((date) => date.toISOString().slice(0, 10))]);
  const toggle = (day: string) => {
    const others = days.filter((other) => other !== day);
    const changed = others.length < days.length ? others : [...days, day].toSorted();
    onValue(changed.length > 0 ? changed : undefined);
  };
  return (
    <details class="advanced-fields event-days" open={isOpen}>
      <summary>
        {label} {t('(optional)')}
      </summary>
      <p class="hint">{field.help}</p>
      <div class="chips" role="group" aria-label={label}>
        {[...shown].toSorted().map((day) => (
          <button
            key={day}
            type="button"
            class="chip"
            aria-pressed={days.includes(day)}
            disabled={days.length >= maxItemsOf(field) && !days.includes(day)}
            onClick={() => toggle(day)}
          >
            {isDate(toFieldTime(values, day)) ? formatDay(new Date(day)) : day}
          </button>
        ))}
      </div>
    </details>
  );
}

/** Whole days have no time zone on the page. While a date is typed, its input is empty. */
function ZoneInput(props: InputProps) {
  const { values } = props;
  const times = [values['starts_at'], values['ends_at']]
    .map((time) => toFieldTime(values, time))
    .filter(Boolean);
  const isHidden = useSignal(false);
  if (times.length > 0) isHidden.value = times.every(isDate);
  const zone = asText(props.value) || 'UTC';
  if (isHidden.value) return null;
  const input = textInput(props);
  if (zone === 'UTC') input.hint = t('These times are UTC. Choose your time zone.');
  return <Field {...input} value={zone} options={timeZoneOptions(zone)} />;
}

function UrlInput(props: InputProps) {
  const { field, label } = props;
  const input = textInput(props);
  const urlWithScheme = withScheme(input.value);
  return (
    <Field
      {...input}
      type="url"
      placeholder="example.com"
      maxLength={maxLengthFor(field)}
      onFocus={() => (activeUrlPath.value = props.path)}
      // The scheme is added on blur. Validate the address as it will be then.
      error={urlError(field, label, urlWithScheme)}
      onValue={(newValue) => input.onValue(withoutDoubledScheme(newValue))}
      onBlur={() => {
        activeUrlPath.value = '';
        if (urlWithScheme !== input.value) input.onValue(urlWithScheme);
      }}
    />
  );
}

function PictureInput(props: InputProps) {
  const { name, label, hint, value, onValue } = textInput(props);
  return (
    <PictureField
      name={name}
      label={label}
      hint={hint}
      value={value}
      error={urlError(props.field, label, withScheme(value))}
      onValue={onValue}
    />
  );
}

function ListInput({ path, name, field, label, value, onValue }: InputProps) {
  const { itemNoun: item = t('item'), itemFields = {} } = field;
  const items = (Array.isArray(value) ? value : []) as FieldValues[];
  const list = useRef<HTMLOListElement>(null);
  const listId = `${path}.${name}`;
  const move = (from: number, to: number) => {
    if (from === to || to < 0 || to >= items.length) return;
    onValue(items.toSpliced(from, 1).toSpliced(to, 0, items[from]!));
    list.current!.querySelectorAll<HTMLElement>('.grip')[to]?.focus();
    announce(t('{item} {position} of {count}.', { item, position: to + 1, count: items.length }));
  };
  return (
    <fieldset>
      <legend>{label}</legend>
      {field.help && <p class="hint">{field.help}</p>}
      <ol ref={list} class="block-items">
        {items.map((values, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- the inputs are controlled
          <li key={index} class={`block-item ${dragClass(listId, index)}`}>
            <DragHandle
              list={listId}
              label={`${item} ${index + 1}`}
              index={index}
              onMove={(to) => move(index, to)}
            />
            <div>
              {Object.entries(itemFields)
                .filter(([itemName, itemField]) => isFieldShown(values, itemName, itemField))
                .map(([itemName, itemField]) => (
                  <FieldInput
                    key={itemName}
                    path={`${listId}.${index}`}
                    name={itemName}
                    field={itemField}
                    label={`${itemField.label} ${index + 1}`}
                    values={values}
                    onFieldsChange={(changes) =>
                      onValue(items.with(index, { ...values, ...changes }))
                    }
                  />
                ))}
            </div>
            <button
              type="button"
              class="icon-button"
              onClick={() => onValue(items.toSpliced(index, 1))}
            >
              <Icon path={ICON_PATHS.close} />
              <span class="visually-hidden">
                {t('Remove {item} {number}', { item, number: index + 1 })}
              </span>
            </button>
          </li>
        ))}
      </ol>
      {items.length < maxItemsOf(field) ? (
        <button type="button" class="small" onClick={() => onValue([...items, {}])}>
          {t('Add a {item}', { item })}
        </button>
      ) : (
        <p class="hint">{listFull(maxItemsOf(field))}</p>
      )}
    </fieldset>
  );
}

function ProjectInput(props: TextInputProps) {
  const projects = useAsync(() => api.stats.getProjects()).value?.projects ?? [];
  const options = projects.map(({ id, name }) => [id, name] as const);
  const isListed = projects.some(({ id }) => id === props.value);
  return (
    <Field
      {...props}
      options={
        isListed
          ? options
          : [[props.value, props.value ? t('Unknown project') : t('Choose a project')], ...options]
      }
    />
  );
}

/** Lists numeric metric fields, except those with a dot in a key, which blocks cannot show. */
function MetricInput({ projectId, ...props }: TextInputProps & { projectId: string }) {
  const description = useAsync(
    async () =>
      projectId ? await owner.metrics.getMetricFields({ project_id: projectId }) : undefined,
    [projectId],
  );
  const paths = (description.value?.fields ?? [])
    .filter(
      ({ path, types }) => types.includes('number') && path.every((key) => !key.includes('.')),
    )
    .map(({ path }) => path.join('.'));
  const options = props.value && !paths.includes(props.value) ? [...paths, props.value] : paths;
  return (
    <Field
      {...props}
      hint={projectId ? (description.failure ?? props.hint) : t('Choose a project first.')}
      options={[['', t('Number of metrics')], ...options.map((path) => [path, path] as const)]}
    />
  );
}

function asText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function rangeHint({ min, max, help }: BlockField): string | undefined {
  return (
    help ??
    (min === undefined || max === undefined ? undefined : t('{min} to {max}.', { min, max }))
  );
}

function languageOptions(selected: string): (readonly [string, string])[] {
  const tags = new Set(['en', ...PAGE_LANGUAGES, ...(selected ? [selected] : [])]);
  return [...tags].map((tag) => [tag === 'en' ? '' : tag, languageName(tag)] as const);
}

function languageName(tag: string): string {
  try {
    return new Intl.DisplayNames(tag, { type: 'language' }).of(tag) ?? tag;
  } catch {
    return tag;
  }
}

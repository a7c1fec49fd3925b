import { type BlockField, type BlockFieldType, isFieldUsed } from '#contract/shared/blocks.ts';
import { queryOf } from '../blocks/metric.ts';
import { safeLinkUrl } from '../html/safe-url.ts';
import { chosenIconOf } from '../icons/link-icon.ts';
import { endsBeforeStart } from './event-dates.ts';
import { choiceOf, type Fields, flagOf, integerOf, parsedTimeOf, textOf } from './fields.ts';
import { languageOf } from './options.ts';
import { pictureOf } from './picture.ts';
import { validZoneOf } from './time-zone.ts';

type Reader = (fields: Fields, name: string, field: BlockField) => unknown;

const readText: Reader = (fields, name, { pattern }) => {
  const text = textOf(fields, name);
  return text !== undefined && (pattern?.test(text) ?? true) ? text : undefined;
};

const READERS: Readonly<Record<BlockFieldType, Reader>> = {
  text: readText,
  lines: readText,
  markdown: readText,
  url: (fields, name) => safeLinkUrl(fields[name]),
  icon: chosenIconOf,
  picture: (fields, name) => pictureOf(fields[name]),
  time: (fields, name, { after, isDay }) => {
    if (after && endsBeforeStart(fields, after, name)) return undefined;
    const time = parsedTimeOf(fields, name);
    return isDay && time?.hasTimeOfDay ? undefined : time;
  },
  language: languageOf,
  zone: validZoneOf,
  flag: flagOf,
  number: (fields, name, { min = 0, max = 0 }) => integerOf(fields, name, [min, max]),
  choice: (fields, name, { options = {} }) => choiceOf(fields, name, options),
  project: queryOf,
  metric: (fields, name) => textOf(fields, name) && queryOf(fields),
  days: (fields, name) => (Array.isArray(fields[name]) ? fields[name] : undefined),
  list: (fields, name) => (Array.isArray(fields[name]) ? fields[name] : undefined),
};

/** Returns undefined for a value that the page ignores. */
export const readField: Reader = (fields, name, field) =>
  field.needs?.every((other) => textOf(fields, other) === undefined) || !isFieldUsed(fields, field)
    ? undefined
    : READERS[field.type](fields, name, field);

import { z } from 'zod';
import { BlockUpdate } from '#contract/block.ts';
import { inputOf, type Route } from '#contract/define-endpoints.ts';
import {
  API_BLOCKS,
  BLOCK_TYPES,
  type BlockDefinition,
  isFieldUsed,
  maxItemsOf,
} from '#contract/shared/blocks.ts';
import { exceptionsOf } from '#page/fields/event-dates.ts';
import { isFields } from '#page/fields/fields.ts';
import { readField } from '#page/fields/read-field.ts';

const NO_FIELDS = z.object({});
const COMMON_BLOCK_FIELDS = ['id', 'type', 'enabled'];

/** Adds the paths of ignored fields to `found`. Skips values of another type. */
type Finder = (value: unknown, path: string, found: string[]) => void;
type Nested = readonly (readonly [name: string, find: Finder])[];

function findNothing() {}

/**
 * Returns a function that lists the fields of a request that have no effect: unknown fields, and
 * what the page does not show of blocks. Reads the schemas only once, for speed.
 */
export function createIgnoredFieldsFinder(route: Route) {
  const findInBody = createFinder(inputOf(route).body ?? NO_FIELDS, route.metadata.readOnlyFields);
  const findInQuery = createFinder(route.query instanceof z.ZodType ? route.query : NO_FIELDS);
  return (request: { body: unknown; query: unknown }): string[] => {
    const found: string[] = [];
    findInBody(request.body, '', found);
    findInQuery(request.query, '', found);
    return found;
  };
}

function createFinder(schema: z.core.$ZodType, otherKeys: readonly string[] = []): Finder {
  if (schema === BlockUpdate) return findInBlock;
  if (schema instanceof z.ZodArray) return findInItems(createFinder(schema.element));
  if (schema instanceof z.ZodObject) {
    const { shape, def } = schema;
    const nested = Object.entries(shape).map(
      ([name, field]) => [name, createFinder(field)] as const,
    );
    return findInFields(def.catchall ? undefined : [...Object.keys(shape), ...otherKeys], nested);
  }
  // Optional, nullable and default values, and conversions.
  const { def } = schema as z.ZodType;
  const inner = def as Partial<Record<'innerType' | 'in' | 'out', z.core.$ZodType>>;
  const finders = [inner.innerType, inner.in, inner.out].map((other) =>
    other ? createFinder(other) : findNothing,
  );
  return finders.find((find) => find !== findNothing) ?? findNothing;
}

const BLOCK_FINDERS = new Map<string, Finder>(
  BLOCK_TYPES.map((type) => [type, createBlockFinder(API_BLOCKS[type], COMMON_BLOCK_FIELDS)]),
);

function findInBlock(block: unknown, path: string, found: string[]): void {
  if (!isFields(block) || typeof block['type'] !== 'string') return;
  const find = BLOCK_FINDERS.get(block['type']);
  if (find) find(block, path, found);
  else found.push(`${path}type`);
}

/** Finds unknown fields, values that the page ignores, and blocks or items that lack what it needs. */
function createBlockFinder(
  { fields, needsOneOf = [] }: Pick<BlockDefinition, 'fields' | 'needsOneOf'>,
  otherKeys: readonly string[] = [],
): Finder {
  const entries = Object.entries(fields).map(([name, field]) => {
    const { aliases = [], itemFields } = field;
    const findInItem = itemFields ? createBlockFinder({ fields: itemFields }) : findNothing;
    return { name, field, names: [name, ...aliases], findInItem };
  });
  const findUnknown = findInFields(
    [...otherKeys, ...entries.flatMap(({ names }) => names)],
    entries.map(({ name, field, findInItem }) => [
      name,
      findInItems(findInItem, maxItemsOf(field)),
    ]),
  );
  return (value, path, found) => {
    if (!isFields(value)) return void found.push(path.slice(0, -1));
    findUnknown(value, path, found);
    let isShown = needsOneOf.length === 0;
    let isMissing = false;
    for (const { name: fieldName, field, names } of entries) {
      const given = names.filter((name) => !isEmpty(value[name]));
      const used = given.find((name) => readField(value, name, field) !== undefined);
      found.push(...given.filter((name) => name !== used).map((name) => path + name));
      if (used && field.type === 'days')
        for (const [index, day] of exceptionsOf(value).entries())
          if (day === undefined) found.push(`${path}${used}.${index}`);
      isMissing ||= field.required === true && given.length === 0 && isFieldUsed(value, field);
      isShown ||= needsOneOf.includes(fieldName) && given.some((name) => value[name] !== false);
    }
    if (isMissing || !isShown) found.push(path.slice(0, -1));
  };
}

function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return value === undefined || value === null || (typeof value === 'string' && !/\S/.test(value));
}

/** `keys` is undefined if an object may have any. */
function findInFields(keys: readonly string[] | undefined, nested: Nested): Finder {
  const known = keys && new Set(keys);
  const finders = nested.filter(([, find]) => find !== findNothing);
  return (value, path, found) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
    if (known) for (const key of Object.keys(value)) if (!known.has(key)) found.push(path + key);
    for (const [name, find] of finders)
      find((value as Record<string, unknown>)[name], `${path}${name}.`, found);
  };
}

function findInItems(findInItem: Finder, maxItems = Number.POSITIVE_INFINITY): Finder {
  if (findInItem === findNothing) return findNothing;
  return (items, path, found) => {
    if (Array.isArray(items))
      for (const [index, item] of items.entries())
        if (index < maxItems) findInItem(item, `${path}${index}.`, found);
        else found.push(path + index);
  };
}

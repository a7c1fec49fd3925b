import { NameplateError } from './errors.ts';

/**
 * Serializes a body. Throws a NameplateError with the path of a value that JSON would drop or
 * change, such as NaN, an invalid date, a Map or a function. Undefined members of objects are left out.
 */
export function toJson(body: unknown): string {
  const paths = new Map<unknown, string>();
  return JSON.stringify(body, function (this: Record<string, unknown>, key, value: unknown) {
    const parentPath = paths.get(this);
    const path = parentPath ? `${parentPath}.${key}` : key;
    const original = this[key];
    if (isChanged(value, original, this))
      throw new NameplateError(`${path || 'The body'} is ${describe(original)}, not JSON.`);
    paths.set(value, path);
    return value;
  });
}

/** `original` is the value before `toJSON`. */
function isChanged(value: unknown, original: unknown, parent: unknown): boolean {
  if (typeof value === 'number') return !Number.isFinite(value);
  if (value === undefined) return original !== undefined || Array.isArray(parent);
  // `toJSON` of an invalid date returns null.
  if (value === null) return original !== null;
  if (typeof value === 'object') return !/^\[object (?:Object|Array)\]$/.test(tagOf(value));
  return typeof value !== 'string' && typeof value !== 'boolean';
}

function describe(value: unknown): string {
  return typeof value === 'number' || value === undefined
    ? String(value)
    : tagOf(value).slice(8, -1);
}

function tagOf(value: unknown): string {
  return Object.prototype.toString.call(value);
}

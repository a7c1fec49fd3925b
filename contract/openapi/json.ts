export type JsonObject = { [key: string]: Json };

export type Json = null | boolean | number | string | Json[] | JsonObject;

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function sortKeys(object: JsonObject, firstKeys: readonly string[] = []): JsonObject {
  const rank = (key: string): number =>
    firstKeys.includes(key) ? firstKeys.indexOf(key) : firstKeys.length;
  return Object.fromEntries(
    Object.entries(object).toSorted(([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : 1)),
  );
}

export function addOnce<Value>(components: Record<string, Value>, name: string, component: Value) {
  const existing = components[name];
  if (existing !== undefined && JSON.stringify(existing) !== JSON.stringify(component))
    throw new Error(`Two different components are named ${name}.`);
  components[name] = component;
}

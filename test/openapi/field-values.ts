import type { Json, JsonObject } from '#contract/openapi/json.ts';
import { resolve } from './schema-arbitrary.ts';

const EMOJI = '💩';
const TEXTS = [
  ...['', ' ', 'x', 'A', '1', 'a b', 'a-b', 'a\nb', 'a\tb', 'a\x01b', 'пример', EMOJI],
  ...['toString', 'pt-BR', '#aabbcc', '2026-01-31', '2026-02-30', '2026-01-31T09:30:00+02:00'],
  ...['https://пример.example:8443/?a=b#c', 'http://[::1]/', 'ftp://example.com', 'http://a<b/'],
  ...['JANE@EXAMPLE.ORG', ' jane@example.org ', 'mailto:jane@example.org'],
  ...['5c1f8a52-3d1e-4b0a-9a53-0d7c3f6b1a01', '5C1F8A52-3D1E-4B0A-9A53-0D7C3F6B1A01'],
];
const OTHERS = [null, true, 0, -0, 1.5, -1, 2 ** 31, 1e300, [], {}, undefined];

/** Values of every type, texts of many scripts, and values just inside and outside of each limit. */
function listFieldValues(reference: JsonObject, document: JsonObject): unknown[] {
  const schema = dereference(reference, document);
  const { minimum, maximum, minLength, maxLength, minItems, maxItems } = schema as Record<
    string,
    number | undefined
  >;
  const around = (...limits: (number | undefined)[]) =>
    limits.flatMap((limit) => (limit === undefined ? [] : [limit - 1, limit, limit + 1]));
  const lengths = around(minLength, maxLength).filter((length) => length >= 0 && length < 10_000);
  const counts = around(minItems, maxItems).filter((count) => count >= 0 && count < 2_000);
  const items = schema.items as JsonObject | undefined;
  return [
    ...[...OTHERS, ...TEXTS],
    ...[schema.enum ?? [], schema.examples ?? []].flat(),
    ...around(minimum, maximum),
    ...lengths.flatMap((length) => ['a', '1', EMOJI].map((character) => character.repeat(length))),
    ...(items ? counts.map((count) => Array(count).fill(exampleOf(items, document))) : []),
    ...(items ? listFieldValues(items, document).map((item) => [item]) : []),
  ];
}

/** Sets each field of the body, also those of objects in it, to each of its values. */
export function* listBodies(
  reference: JsonObject,
  document: JsonObject,
  body: JsonObject,
): Generator<[path: string, body: JsonObject]> {
  const { properties = {} } = dereference(reference, document);
  for (const [name, field] of Object.entries(properties as Record<string, JsonObject>)) {
    for (const value of listFieldValues(field, document))
      yield [name, JSON.parse(JSON.stringify({ ...body, [name]: value })) as JsonObject];
    const inner = (body[name] ?? {}) as JsonObject;
    for (const [path, value] of listBodies(field, document, inner))
      yield [`${name}.${path}`, { ...body, [name]: value }];
  }
}

function dereference(schema: JsonObject, document: JsonObject): JsonObject {
  return typeof schema.$ref === 'string'
    ? dereference(resolve(schema.$ref, document), document)
    : schema;
}

/** With the required fields only. */
export function exampleOf(reference: JsonObject, document: JsonObject): Json {
  const { examples, enum: values, anyOf, required, properties } = dereference(reference, document);
  const [example] = [examples ?? values ?? []].flat();
  if (example !== undefined) return example;
  if (Array.isArray(anyOf)) return exampleOf(anyOf[0] as JsonObject, document);
  return Object.fromEntries(
    ((required ?? []) as string[]).map((name) => [
      name,
      exampleOf((properties as JsonObject)[name] as JsonObject, document),
    ]),
  );
}

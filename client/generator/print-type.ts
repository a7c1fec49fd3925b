import { printFieldDocs } from '../../contract/openapi/field-docs.ts';
import { referencedName, type Schema, type Schemas } from '../../contract/openapi/json-schema.ts';
import { printComment } from './print-docs.ts';

/** Media type of a raw upload. */
const FILE_MEDIA_TYPE = 'application/octet-stream';

export function printDeclaration(name: string, schemas: Schemas): string {
  const schema = schemas[name] ?? {};
  const [, common] = /^Base(.+)/.exec(name) ?? [];
  const { examples: _, ...documentedSchema } = {
    ...(common && { description: `The fields of every ${common}.` }),
    ...schema,
  };
  const comment = printComment([printFieldDocs(documentedSchema)]);
  if (schema.allOf !== undefined) {
    const [base = {}, extension = {}] = schema.allOf;
    return `${comment}\nexport interface ${name} extends ${referencedName(base)} ${printType(extension, schemas)}`;
  }
  const type = printType(schema, schemas);
  return schema.type === 'object'
    ? `${comment}\nexport interface ${name} ${type}`
    : `${comment}\nexport type ${name} = ${type};`;
}

/** `schemas` are the schemas that it can reference. */
export function printType(schema: Schema, schemas: Schemas = {}): string {
  if (schema.$ref !== undefined) return referencedName(schema);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return printEnum(schema.enum);
  if (Array.isArray(schema.type))
    return printUnion(schema.type.map((type) => printType({ ...schema, type }, schemas)));
  switch (schema.type) {
    case 'object':
      return printObject(schema, schemas);
    case 'array':
      return `${parenthesized(printType(schema.items ?? {}, schemas))}[]`;
    case 'integer':
    case 'number':
      return 'number';
    case 'string':
      if (schema.contentMediaType === FILE_MEDIA_TYPE) return 'ArrayBuffer | Uint8Array | Blob';
      return 'string';
    case 'boolean':
    case 'null':
    case 'undefined':
      return schema.type;
  }
  return schema.anyOf === undefined
    ? 'unknown'
    : printUnion(schema.anyOf.map((variant) => printType(variant, schemas)));
}

// Enums of strings have values of newer servers, which can be sent back, but misspelled values do not
// compile. A single value stays closed: it tells variants apart.
function printEnum(values: readonly unknown[]): string {
  const literals = values.map((value) => JSON.stringify(value));
  return values.length !== 1 && values.every((value) => typeof value === 'string')
    ? [...literals, 'OtherValue'].join(' | ')
    : literals.join(' | ');
}

function printUnion(types: readonly string[]): string {
  const merged = types.includes('string') ? types.filter((type) => !type.startsWith('"')) : types;
  return [...new Set(merged)].join(' | ');
}

function printObject(schema: Schema, schemas: Schemas): string {
  const required = new Set(schema.required);
  const fields = Object.entries(schema.properties ?? {}).map(([key, field]) => {
    const type = printType(field, schemas);
    const { description = schemas[referencedName(field)]?.description ?? '' } = field;
    const declaration = required.has(key) ? `${key}: ${type};` : `${key}?: ${type} | undefined;`;
    return `${printComment([printFieldDocs({ ...field, description })])}\n${declaration}`;
  });
  const indexSignature = schema.additionalProperties ? ['[key: string]: unknown;'] : [];
  return `{\n${[...fields, ...indexSignature].join('\n')}\n}`;
}

function parenthesized(type: string): string {
  return /^\w+$/.test(type) ? type : `(${type})`;
}

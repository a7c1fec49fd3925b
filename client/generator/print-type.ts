import { fieldDocs, printComment } from './print-docs.ts';
import { referenced, type Schema } from './schemas.ts';

/** Prints a named schema as an interface, or as a type where it is not an object. */
export function printDeclaration(name: string, schema: Schema): string {
  const { examples: _, ...described } = schema;
  const comment = printComment(fieldDocs(described));
  const type = printType(schema);
  return schema.type === 'object'
    ? `${comment}\nexport interface ${name} ${type}`
    : `${comment}\nexport type ${name} = ${type};`;
}

/** Prints the TypeScript type of a schema. */
export function printType(schema: Schema): string {
  if (schema.$ref !== undefined) return referenced(schema);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return printEnum(schema.enum);
  if (Array.isArray(schema.type))
    return printUnion(schema.type.map((type) => printType({ ...schema, type })));
  switch (schema.type) {
    case 'object':
      return printObject(schema);
    case 'array':
      return `${parenthesized(printType(schema.items ?? {}))}[]`;
    case 'integer':
    case 'number':
      return 'number';
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
  }
  return schema.anyOf === undefined ? 'unknown' : printUnion(schema.anyOf.map(printType));
}

// Open, so that a value the service learns later, or one that was read as a string, still compiles.
function printEnum(values: readonly unknown[]): string {
  const literals = values.map((value) => JSON.stringify(value));
  return values.every((value) => typeof value === 'string')
    ? `${literals.join(' | ')} | (string & {})`
    : literals.join(' | ');
}

function printUnion(types: readonly string[]): string {
  const plain = types.includes('string') ? types.filter((type) => !type.startsWith('"')) : types;
  return [...new Set(plain)].join(' | ');
}

function printObject(schema: Schema): string {
  const required = new Set(schema.required);
  const fields = Object.entries(schema.properties ?? {}).map(([key, field]) => {
    const type = printType(field);
    const declaration = required.has(key) ? `${key}: ${type};` : `${key}?: ${type} | undefined;`;
    return `${printComment(fieldDocs(field))}\n${declaration}`;
  });
  const { additionalProperties: more = false } = schema;
  const index = more === false ? [] : ['[key: string]: unknown;'];
  return `{\n${[...fields, ...index].join('\n')}\n}`;
}

function parenthesized(type: string): string {
  return /^\w+$/.test(type) ? type : `(${type})`;
}

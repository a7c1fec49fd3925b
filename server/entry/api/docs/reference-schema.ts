import type { Schema } from '#contract/openapi/json-schema.ts';
import { type Html, html, type TemplateValue } from '#page/html/html.ts';
import { type OpenApiDocument, resolve } from '#server/platform/openapi-documents.ts';

export interface SchemaContext {
  document: OpenApiDocument;
  /** Names of schemas that fields link to. They are shown once, below the operations. */
  linkedSchemas: Set<string>;
  isNested?: true;
}

const MAX_SHOWN_VALUES = 6;

export interface Field {
  name: string;
  required: boolean;
  schema: Schema;
  /** Where a parameter is sent: `query`, `header` or `path`. */
  in?: string;
}

/** Renders `code` and **bold** text of a description. */
export function renderText(text: string): TemplateValue {
  return text
    .split(/(`[^`]+`|\*\*[^*]+\*\*)/)
    .map((part) =>
      part.startsWith('`')
        ? renderCode(part.slice(1, -1))
        : part.startsWith('**')
          ? html`<b>${part.slice(2, -2)}</b>`
          : part.replaceAll(/(?<=\w)'(?=\w)/g, '’'),
    );
}

/** Documents of this server are links. */
function renderCode(code: string): Html {
  const isDocument = /^\/(?:docs\/|owner\/openapi\.json$)/.test(code);
  return isDocument ? html`<a href="${code}"><code>${code}</code></a>` : html`<code>${code}</code>`;
}

/** Shows the fields of a schema, or links to its variants. */
export function renderObject(context: SchemaContext, schema: Schema): Html {
  const { description, variants, fields } = readObject(context.document, schema);
  const links = variants.flatMap((it, index) => [index > 0 && ', ', renderType(context, it)]);
  return html`${description !== undefined && html`<p class="muted">${renderText(description)}</p>`}
  ${links.length > 0 && html`<p>One of ${links}.</p>`}
  ${fields.length > 0 && renderFields(context, fields)}`;
}

/** Fields of a part of `allOf` replace those of earlier parts. */
export function readObject(document: OpenApiDocument, schema: Schema) {
  const resolved = resolve<Schema>(document, schema);
  const parts = [
    resolved,
    ...(resolved.allOf ?? []).map((part) => resolve<Schema>(document, part)),
  ];
  const fields = new Map(parts.flatMap(fieldsOf).map((field) => [field.name, field]));
  return {
    description: parts.findLast(({ description }) => description)?.description,
    variants: (resolved.anyOf ?? []).filter(({ $ref }) => $ref !== undefined),
    fields: [...fields.values()],
  };
}

function fieldsOf({ properties = {}, required = [] }: Schema): Field[] {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    required: required.includes(name),
    schema,
  }));
}

export function renderFields(context: SchemaContext, fields: readonly Field[]): Html {
  return html`<ul class="fields">
    ${fields.map(({ name, required, schema, in: location }) => {
      const nested = nestedFields(context, schema);
      return html`<li>
        <p class="row">
          <code>${name}</code>
          <span
            >${nested ? nested.type : renderType(context, schema)}${location !== undefined && ` in ${location}`}</span
          >${required && html`<b>required</b>`}
        </p>
        <div>${renderText(schema.description ?? '')} ${renderValues(schema)}</div>
        ${
          nested &&
          html`<details>
            <summary>
              ${nested.fields.length === 1 ? '1 field' : `${nested.fields.length} fields`}
            </summary>
            ${renderFields({ ...context, isNested: true }, nested.fields)}
          </details>`
        }
      </li>`;
    })}
  </ul>`;
}

/** Fields that are shown in place. Deeper ones are shown once, below the operations. */
export function nestedFields(
  { document, isNested }: SchemaContext,
  schema: Schema,
): { type: string; fields: Field[] } | undefined {
  const variants = schema.anyOf ?? [];
  const object = variants[0] ?? schema;
  if (variants.length > 2 || (isNested && (object.items ?? object).$ref !== undefined)) return;
  const fields = fieldsOf(resolve<Schema>(document, object.items ?? object));
  const type = `${object.items ? 'array of objects' : 'object'}${variants.length > 1 ? ' or null' : orNull(object)}`;
  return fields.length > 0 ? { type, fields } : undefined;
}

function renderType(context: SchemaContext, schema: Schema): TemplateValue {
  return describeType<TemplateValue>(schema, (name) => {
    context.linkedSchemas.add(name);
    return html`<a href="#object-${name}">${name}</a>`;
  });
}

/** For objects and arrays that may be null. Other types are shown as they are. */
function orNull({ type }: Schema): string {
  return type?.includes('null') ? ' or null' : '';
}

/** `link` renders the name of another schema. */
export function describeType<T>(schema: Schema, link: (name: string) => T): (string | T)[] {
  const { $ref, type, enum: [only] = [], items, anyOf, format } = schema;
  if ($ref !== undefined) return [link($ref.split('/').at(-1)!)];
  if (only === null) return ['null'];
  if (anyOf)
    return anyOf.flatMap((variant, index) => [
      index > 0 ? ' or ' : '',
      ...describeType(variant, link),
    ]);
  if (items) return ['array of ', ...describeType(items, link), orNull(schema)];
  return [[type ?? 'any'].flat().join(' or '), format === undefined ? '' : ` (${format})`];
}

/** The values that a field, or each item of an array, can have. */
export function enumOf({ enum: values, items }: Schema): readonly unknown[] | undefined {
  return values ?? items?.enum;
}

function renderValues(schema: Schema): TemplateValue {
  const { const: only, default: standard, description } = schema;
  // Such as "Always true."
  const isDescribed = only === undefined || description?.includes(String(only));
  const allowed = enumOf(schema) ?? (isDescribed ? [] : [only]);
  const list = allowed.map((value) => html`<code>${JSON.stringify(value)}</code> `);
  return [
    list.length > MAX_SHOWN_VALUES
      ? html`<details>
          <summary>${list.length} values</summary>
          ${list}
        </details>`
      : list,
    standard !== undefined && html`Default: <code>${JSON.stringify(standard)}</code>`,
  ];
}

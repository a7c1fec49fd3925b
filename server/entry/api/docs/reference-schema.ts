import { type Html, html, type TemplateValue } from '#page/html.ts';
import type { Schema } from '../../../../contract/openapi/json-schema.ts';
import { type OpenApiDocument, resolve } from './openapi-document.ts';

export interface SchemaContext {
  document: OpenApiDocument;
  /** Names of schemas that fields link to. They are shown once, below the operations. */
  linkedSchemas: Set<string>;
}

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
        ? html`<code>${part.slice(1, -1)}</code>`
        : part.startsWith('**')
          ? html`<b>${part.slice(2, -2)}</b>`
          : part,
    );
}

/** Shows the fields of a schema, or links to its variants. */
export function renderObject(context: SchemaContext, schema: Schema): Html {
  const resolved = resolve<Schema>(context.document, schema);
  const { description, anyOf, oneOf, allOf = [] } = resolved;
  const bases = allOf.filter(({ $ref }) => $ref !== undefined);
  const parts = [resolved, ...allOf.filter(({ $ref }) => $ref === undefined)];
  const fields = parts.flatMap(fieldsOf);
  const variants = anyOf ?? oneOf;
  return html`${description !== undefined && html`<p class="muted">${renderText(description)}</p>`}
  ${bases.length > 0 && html`<p>All fields of ${joinLabels(context, bases, ' and ')}, and:</p>`}
  ${variants && html`<p>One of ${joinLabels(context, variants, ', ')}.</p>`}
  ${fields.length > 0 && renderFields(context, fields)}`;
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
      const nested = fieldsOf(schema.items ?? schema);
      return html`<li>
        <code class="name">${name}</code>
        <span class="type"
          >${renderType(context, schema)}${location !== undefined && ` in ${location}`}</span
        >
        ${required && html`<span class="required">required</span>`}
        <p>${renderText(schema.description ?? '')} ${renderLimits(schema)}</p>
        ${nested.length > 0 && renderFields(context, nested)}
      </li>`;
    })}
  </ul>`;
}

function renderType(context: SchemaContext, schema: Schema): TemplateValue {
  const { $ref, type, items, anyOf, oneOf, format } = schema;
  if ($ref !== undefined) {
    const name = $ref.split('/').at(-1)!;
    context.linkedSchemas.add(name);
    return html`<a href="#object-${name}">${name}</a>`;
  }
  const variants = anyOf ?? oneOf;
  if (variants) return joinLabels(context, variants, ' or ');
  if (items) return ['array of ', renderType(context, items)];
  return [[type ?? 'any'].flat().join(' or '), format !== undefined && ` (${format})`];
}

function joinLabels(
  context: SchemaContext,
  schemas: readonly Schema[],
  separator: string,
): TemplateValue {
  return schemas.flatMap((schema, index) => [index > 0 && separator, renderType(context, schema)]);
}

function renderLimits(schema: Schema): TemplateValue {
  const { enum: values, const: only, default: standard } = schema;
  const allowed = values ?? (only === undefined ? [] : [only]);
  const limits = [
    rangeOf(schema.minLength, schema.maxLength, ' characters'),
    rangeOf(schema.minItems, schema.maxItems, ' entries'),
    rangeOf(schema.minimum, schema.maximum, ''),
    standard !== undefined && `default ${JSON.stringify(standard)}`,
  ].filter((limit) => limit !== false);
  return html`<span class="limits"
    >${allowed.map((value) => html`<code>${JSON.stringify(value)}</code> `)}${limits.join(', ')}</span
  >`;
}

function rangeOf(min: number | undefined, max: number | undefined, unit: string): string | false {
  if (max === undefined) return min !== undefined && min > 0 && `at least ${min}${unit}`;
  return min === undefined || min === 0 ? `at most ${max}${unit}` : `${min} to ${max}${unit}`;
}

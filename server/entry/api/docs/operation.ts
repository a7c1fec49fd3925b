import { exampleOf } from '#contract/openapi/example-of.ts';
import type { Schema, Schemas } from '#contract/openapi/json-schema.ts';
import { formatMessage, type Refusal } from '#contract/refusal.ts';
import { WRITE_REFUSALS } from '#contract/request-refusals.ts';
import { type Html, html, type TemplateValue } from '#page/html/html.ts';
import {
  type OpenApiDocument,
  type OpenApiResponse,
  type OpenApiOperation,
  type Parameter,
  resolve,
} from '#server/platform/openapi-documents.ts';
import { codeSamples, readCall, type Sample } from './code-samples.ts';
import { errorsByStatus } from './list-errors.ts';
import {
  type Field,
  readObject,
  renderFields,
  renderObject,
  renderText,
  type SchemaContext,
} from './reference-schema.ts';
import { ERRORS_PATH } from './references.ts';

/** Strings, and the other values of objects and lists. */
const TOKENS =
  /("(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?|(?<=[ :] )(?:true|false|null|-?[\d.]+)(?=,|$))/gm;

/** More lines are shown on request. */
const MAX_LINES = 20;

export interface Route {
  method: string;
  path: string;
  operation: OpenApiOperation;
}

interface NamedResponse {
  status: string;
  response: OpenApiResponse;
}

/** The id is inside the `details`, so that a browser opens it when a link leads there. */
export function renderOperation(context: SchemaContext, route: Route): Html {
  const { document } = context;
  const { operation } = route;
  const { operationId: id, description } = operation;
  const responses = listResponses(document, operation);
  return html`<details name="${nameOf(route)}" class="operation">
    ${renderOperationTitle(route)}
    <div id="${id}" class="columns">
      <p>${renderText(`${description} ${describeScope(operation)}`)}</p>
      <div>${renderSections(context, operation, responses)}</div>
      <div class="samples" ${runData(document, route)}>
        ${renderTabs({ name: `${id}-request`, title: 'Request' }, codeSamples(document, route))}
        ${renderExamples(id, responses)}
      </div>
    </div>
  </details>`;
}

/** Leads to the page that has its fields and errors, which the filter of this page also finds. */
export function renderSummary({ document }: SchemaContext, route: Route): Html {
  const { operationId: id, tags, description } = route.operation;
  return html`<details
    name="${nameOf(route)}"
    class="operation"
    data-words="${listWords(document, route.operation).join(' ')}"
  >
    ${renderOperationTitle(route)}
    <div id="${id}">
      <p>${renderText(`${description} ${describeScope(route.operation)}`)}</p>
      <p><a href="/docs/owner/${tags[0]}#${id}">Fields, errors and samples</a></p>
    </div>
  </details>`;
}

/** Opening an operation closes the others of its area. */
const nameOf = ({ operation }: Route): string => `operation-${operation.tags[0]}`;

const describeScope = ({ 'x-scope': scope }: OpenApiOperation): string =>
  scope ? `Scope: \`${scope}\`.` : 'Needs no key.';

function renderOperationTitle({ method, path, operation }: Route): Html {
  return html`<summary>
    <span class="method ${method}">${method.toUpperCase()}</span
    ><strong>${operation.summary}</strong><code>${path}</code>
  </summary>`;
}

/** For `reference.js`. */
function runData(document: OpenApiDocument, route: Route): Html {
  const { method, path, query, body, isUpload, isPublic } = readCall(document, route);
  const types = Object.keys(route.operation.requestBody?.content ?? {});
  const names = listParameters(document, route.operation)
    .filter((parameter) => parameter.in === 'query')
    .map(({ name }) => name);
  return html`data-method="${method}" data-path="${path}"
  ${names.length > 0 && html`data-query="${new URLSearchParams(query).toString()}" data-names="${names.map((name) => `${name}=…`).join('&')}"`}
  ${body !== undefined && html`data-body="${JSON.stringify(body, null, 2)}"`}
  ${isUpload && html`data-types="${types.join()}"`} ${isPublic && html`data-public`}`;
}

/** The names of the fields and the error codes. */
function listWords(document: OpenApiDocument, operation: OpenApiOperation): string[] {
  const contents = [
    operation.requestBody?.content,
    listResponses(document, operation)[0]?.response.content,
  ].flatMap((content) => Object.values(content ?? {}));
  const fields = [
    ...listParameters(document, operation),
    ...contents.flatMap(({ schema }) => readObject(document, schema).fields),
  ];
  const errors = errorsByStatus(operation.operationId).flatMap(([, list]) => list);
  return [...new Set([...fields.map(({ name }) => name), ...errors.map(([code]) => code)])];
}

export function listResponses(
  document: OpenApiDocument,
  { responses }: OpenApiOperation,
): NamedResponse[] {
  return Object.entries(responses).map(([status, it]) => ({
    status,
    response: resolve<OpenApiResponse>(document, it),
  }));
}

export function listParameters(
  document: OpenApiDocument,
  { parameters = [] }: Pick<OpenApiOperation, 'parameters'>,
): Field[] {
  return parameters
    .map((it) => resolve<Parameter>(document, it))
    .map(({ schema, description, ...it }) => ({ ...it, schema: { ...schema, description } }));
}

export function renderWebhook(
  context: SchemaContext,
  type: string,
  { operationId: id, parameters = [], requestBody }: OpenApiOperation,
): Html {
  const { schema } = requestBody!.content['application/json']!;
  const { description = '' } = resolve<Schema>(context.document, schema);
  return html`<details name="operation">
    <summary><code>${type}</code><span class="muted">${renderText(description)}</span></summary>
    <div id="${id}" class="columns">
      <div>
        <h3>Body</h3>
        ${renderObject(context, schema)}
        <h3>Headers</h3>
        ${renderFields(context, listParameters(context.document, { parameters }))}
      </div>
      <div class="samples">
        ${renderTabs({ name: `${id}-body`, title: 'Body' }, [
          {
            label: 'JSON',
            source: JSON.stringify(exampleOfEvent(context.document, schema), null, 2),
          },
        ])}
      </div>
    </div>
  </details>`;
}

/** A whole body, made of the examples of its fields. */
export function exampleOfEvent({ components }: OpenApiDocument, event: Schema): unknown {
  return exampleOf(event, components['schemas'] as Schemas);
}

function renderSections(
  context: SchemaContext,
  { operationId, parameters = [], requestBody }: OpenApiOperation,
  responses: NamedResponse[],
): Html {
  const [body] = Object.values(requestBody?.content ?? {});
  return html`${body && renderSection('Body', renderObject(context, body.schema))}
  ${parameters.length > 0 && renderSection('Parameters', renderFields(context, listParameters(context.document, { parameters })))}
  ${responses.map(({ status, response }) => {
    const [content] = Object.values(response.content ?? {});
    if (status >= '400' || !content) return undefined;
    return renderSection(`Response ${status}`, renderObject(context, content.schema));
  })}
  ${renderSection('Errors', renderErrors(operationId))}`;
}

const renderSection = (title: string, content: TemplateValue): Html =>
  html`<h4>${title}</h4>
    ${content}`;

/** Of each status: the example of the document, or for errors that of the first code. */
function renderExamples(id: string, responses: NamedResponse[]): Html | undefined {
  const errors = new Map(errorsByStatus(id));
  const examples = responses.flatMap(({ status, response: { content } }) => {
    const [media] = Object.values(content ?? {});
    const [[, refusal] = []] = errors.get(Number(status)) ?? [];
    const value = refusal
      ? { error: formatMessage(refusal.message, refusal.example) }
      : media?.example;
    if (value === undefined) return [];
    return [
      { label: status, source: typeof value === 'string' ? value : JSON.stringify(value, null, 2) },
    ];
  });
  if (examples.length === 0) return undefined;
  return renderTabs({ name: `${id}-response`, title: 'Response' }, examples);
}

/** Errors about the form of any body are folded. */
function renderErrors(operationId: string): Html {
  return html`<ul class="errors">
    ${errorsByStatus(operationId).map(([status, errors]) => {
      const folded = errors.filter(([code]) => status === 400 && code in WRITE_REFUSALS);
      const shown = errors.filter((error) => !folded.includes(error));
      return html`<li>
        <b>${status}</b>
        <div>
          ${shown.map(renderError)}
          ${
            folded.length > 0 &&
            html`<details>
              <summary>${folded.length} about the form of the request</summary>
              ${folded.map(renderError)}
            </details>`
          }
        </div>
      </li>`;
    })}
  </ul>`;
}

const renderError = ([code, { when }]: [code: string, refusal: Refusal]): Html =>
  html`<p>
    <a href="${ERRORS_PATH}#${code}"><code>${code}</code></a> ${renderText(when)}
  </p>`;

function highlight(source: string): TemplateValue {
  return source.split(TOKENS).map((text, index, all) => {
    const isKey = all[index + 1]?.startsWith(':');
    if (index % 2 === 0 || isKey) return text;
    return /^["']/.test(text) ? html`<i>${text}</i>` : html`<b>${text}</b>`;
  });
}

/** One of several texts, chosen by radio buttons, so that it works without a script. */
function renderTabs(
  { name, title }: { name: string; title: string },
  tabs: readonly Sample[],
): Html {
  return html`<div class="pane" role="group" aria-label="${title}">
    <p class="row tabs">
      ${tabs.map(
        ({ label }, index) =>
          html`<label
            ><input type="radio" name="${name}" ${index === 0 && html` checked`} />${label}</label
          >`,
      )}
      <button type="button" class="copy" hidden>Copy</button>
    </p>
    ${tabs.map(({ source }) => html`<pre tabindex="0"><code>${highlight(source)}</code></pre>`)}
    ${
      tabs.some(({ source }) => source.split('\n').length > MAX_LINES) &&
      html`<button type="button" class="all" hidden>Show all lines</button>`
    }
  </div>`;
}

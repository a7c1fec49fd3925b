import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Html, html, type TemplateValue, trustedHtml } from '#page/html.ts';
import { securityHeaders } from '#server/platform/http/responses/headers.ts';
import type { App } from '#server/app.ts';
import { PAGE_POLICY, renderDocument } from '#server/platform/http/responses/page.ts';
import { createPageStyle, readMinifiedCss } from '#server/platform/http/responses/page-style.ts';
import { translatorFor } from '#server/platform/text/language.ts';
import { FIRST_CALL_STYLE } from './first-call-page.ts';
import {
  ERRORS_PATH,
  type Example,
  type OpenApiDocument,
  type OpenApiResponse,
  type Operation,
  type Parameter,
  REFERENCES,
  resolve,
} from './openapi-document.ts';
import { renderFields, renderObject, renderText, type SchemaContext } from './reference-schema.ts';

const SCRIPT = readFileSync(new URL('./reference.js', import.meta.url), 'utf8');
export const REFERENCE_STYLE = createPageStyle(
  FIRST_CALL_STYLE.css + readMinifiedCss(new URL('./reference.css', import.meta.url)),
);
export const REFERENCE_HEADERS = securityHeaders({
  ...PAGE_POLICY,
  'style-src': `'self' ${REFERENCE_STYLE.cspSource}`,
  'form-action': "'none'",
  'script-src': `'sha256-${hash('sha256', SCRIPT, 'base64')}'`,
});

/** In English, like the texts of the documents. */
export function renderReferencePage(
  app: Pick<App, 'instanceStore' | 'origin'>,
  { document, file }: { document: OpenApiDocument; file: string },
): string {
  const context: SchemaContext = { document, linkedSchemas: new Set() };
  const areas = document.tags.map((tag) => ({ ...tag, operations: operationsOf(document, tag) }));
  return renderDocument(app, {
    t: translatorFor('en'),
    title: document.info.title === 'Nameplate' ? 'API reference' : 'Owner API reference',
    head: html`<meta
      name="description"
      content="Every endpoint, its fields, limits and errors."
    />`,
    barEnd: html`<a href="/docs/">Your first call</a>`,
    main: html`<div class="docs reference">
        <nav class="areas" aria-label="Operations">
          ${renderDocumentLinks(REFERENCES.find((it) => it.file === file)!.path)}
          ${areas.map(
            (area) =>
              html`<details open>
                <summary>${area['x-displayName']}</summary>
                <ul>
                  ${area.operations.map(
                    (route) =>
                      html`<li><a href="#${anchorOf(route)}">${route.operation.summary}</a></li>`,
                  )}
                </ul>
              </details>`,
          )}
        </nav>
        <main id="main">
          <h1>${document.info.title}</h1>
          <p class="base">
            <span class="label">Base URL</span> <code>${document.servers[0]!.url}</code>
            <a href="${file}">OpenAPI file</a>
          </p>
          ${document.info.description.split('\n\n').map((text) => html`<p>${renderText(text)}</p>`)}
          ${areas.map(
            (area) =>
              html`<h2>${area['x-displayName']}</h2>
                <p>${renderText(area.description)}</p>
                <div class="endpoints">
                  ${area.operations.map((route) => renderOperation(context, route))}
                </div>`,
          )}
          <h2>Objects</h2>
          <div class="endpoints">${renderObjects(context)}</div>
        </main>
      </div>
      ${trustedHtml(`<script>${SCRIPT}</script>`)}`,
    style: REFERENCE_STYLE,
  });
}

export function renderDocumentLinks(current: string): Html {
  return html`<p class="documents">
    ${[...REFERENCES, { path: ERRORS_PATH, label: 'Errors' }].map(
      ({ path, label }) =>
        html`<a href="${path}" ${path === current && trustedHtml('aria-current="page"')}
          >${label}</a
        >`,
    )}
  </p>`;
}

interface Route {
  method: string;
  path: string;
  operation: Operation;
}

function operationsOf({ paths }: OpenApiDocument, tag: { name: string }): Route[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, operation]) => operation.tags[0] === tag.name)
      .map(([method, operation]) => ({ method, path, operation })),
  );
}

/** A path can have two methods. */
const anchorOf = ({ method, path }: Pick<Route, 'method' | 'path'>): string => `${method}${path}`;

function renderOperation(context: SchemaContext, { method, path, operation }: Route): Html {
  const { document } = context;
  const parameters = (operation.parameters ?? []).map((it) => resolve<Parameter>(document, it));
  const [body] = Object.values(operation.requestBody?.content ?? {});
  const responses = Object.entries(operation.responses).map(([status, it]) => ({
    status,
    response: resolve<OpenApiResponse>(document, it),
  }));
  const success = responses.filter(({ status }) => status < '400');
  return html`<details id="${anchorOf({ method, path })}" class="operation">
    <summary>
      <span class="method ${method}">${method.toUpperCase()}</span><code>${path}</code
      ><span class="muted">${operation.summary}</span>
    </summary>
    <div class="columns">
      <div>
        <p>${renderText(operation.description)}</p>
        ${operation.security.length === 0 && html`<p class="muted">Needs no key.</p>`}
        ${
          parameters.length > 0 &&
          renderSection(
            'Parameters',
            renderFields(
              context,
              parameters.map(({ schema, description, ...it }) => ({
                ...it,
                schema: { ...schema, description },
              })),
            ),
          )
        }
        ${body && renderSection('Body', renderObject(context, body.schema))}
        ${success.map(({ status, response }) => {
          const [content] = Object.values(response.content ?? {});
          return renderSection(
            `Response ${status}`,
            content && renderObject(context, content.schema),
          );
        })}
        ${renderSection('Errors', renderErrors(document, responses.slice(success.length)))}
      </div>
      <div class="samples">
        ${operation['x-codeSamples'].map(({ label, source }) => renderCode(label, source))}
        ${success.flatMap(({ status, response }) =>
          examplesOf(document, response)
            .slice(0, 1)
            .map(({ value }) => renderCode(`Response ${status}`, formatExample(value))),
        )}
      </div>
    </div>
  </details>`;
}

const renderSection = (title: string, content: TemplateValue): Html =>
  html`<h3>${title}</h3>
    ${content}`;

const renderCode = (label: string, text: string): Html =>
  html`<div class="command">
    <p class="label">${label}<button type="button" hidden>Copy</button></p>
    <pre tabindex="0"><code>${text}</code></pre>
  </div>`;

const formatExample = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value, null, 2);

function examplesOf(document: OpenApiDocument, { content }: OpenApiResponse): Example[] {
  const [media] = Object.values(content ?? {});
  return Object.values(media?.examples ?? {}).map((it) => resolve<Example>(document, it));
}

/** Shows what each error code means. The examples have the order of the codes. */
function renderErrors(
  document: OpenApiDocument,
  responses: { status: string; response: OpenApiResponse }[],
): Html {
  return html`<ul class="errors">
    ${responses.flatMap(({ status, response }) => {
      const codes = response.headers?.['X-Error-Code']?.schema?.enum ?? [];
      const examples = examplesOf(document, response);
      return codes.map(
        (code, index) =>
          html`<li>
            <b>${status}</b> <code>${String(code)}</code>
            <span class="muted"
              >${renderText(examples[index]?.summary ?? response.description)}</span
            >
          </li>`,
      );
    })}
  </ul>`;
}

/** Rendering an object can link to further objects, which are appended to the set. */
function renderObjects(context: SchemaContext): Html[] {
  const objects: Html[] = [];
  for (const name of context.linkedSchemas)
    objects.push(
      html`<details id="object-${name}" class="object">
        <summary><code>${name}</code></summary>
        <div class="columns"><div>${renderObject(context, { $ref: `schemas/${name}` })}</div></div>
      </details>`,
    );
  return objects;
}

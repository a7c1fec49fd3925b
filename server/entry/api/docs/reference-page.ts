import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { LOCAL_URL } from '#contract/openapi/info.ts';
import { type Html, html, trustedHtml } from '#page/html/html.ts';
import type { Core } from '#server/core.ts';
import {
  createPageStyle,
  latinFaces,
  PAGE_STYLE,
  readMinifiedCss,
} from '#server/entry/pages/shell/page-style.ts';
import { PAGE_POLICY, renderDocument } from '#server/entry/pages/shell/page.ts';
import { securityHeaders } from '#server/platform/http/responses/headers.ts';
import type { OpenApiDocument } from '#server/platform/openapi-documents.ts';
import { translatorFor } from '#server/platform/text/language.ts';
import { renderFirstCall, renderKeyField } from './first-call.ts';
import { describeGuide, GUIDE_FILES } from './guides.ts';
import { type Route, renderOperation, renderSummary, renderWebhook } from './operation.ts';
import { renderObject, renderText, type SchemaContext } from './reference-schema.ts';
import { AREA_PAGES, ERRORS_FILE, ERRORS_PATH, LLMS_PATH, REFERENCES } from './references.ts';

const SCRIPT = readFileSync(new URL('./reference.js', import.meta.url), 'utf8');
const STYLE = createPageStyle(
  PAGE_STYLE.css +
    latinFaces('JetBrains Mono') +
    readMinifiedCss(new URL('./reference.css', import.meta.url)),
);

export interface DocsPage {
  body: string;
  headers: Record<string, string>;
}

interface Link {
  /** `#` and an id of the page, or the path of another page. */
  target: string;
  label: string;
}

interface DocsPageParts {
  path: string;
  title: string;
  description: string;
  groups: { title: string; links: Link[] }[];
  main: Html;
}

/** In English, like the texts of the documents. */
export function renderDocsPage(
  app: Pick<Core, 'instanceStore' | 'origin'>,
  { path, title, description, groups, main }: DocsPageParts,
): DocsPage {
  const pages = [...REFERENCES, { path: ERRORS_PATH, label: 'Errors' }].map(
    (page) =>
      html`<li>
        <a href="${page.path}" ${isWithin(page.path, path) && trustedHtml('aria-current="page"')}
          >${page.label}</a
        >
      </li>`,
  );
  const list = [
    html`<ul class="tabs">
      ${pages}
    </ul>`,
    // Only the script can filter.
    html`<input
      type="search"
      class="filter"
      placeholder="Filter"
      aria-label="Filter the contents"
      hidden
    />`,
    ...groups.map(
      ({ title: group, links }) =>
        html`<h2>${group}</h2>
          <ul>
            ${links.map(({ target, label }) => html`<li><a href="${target}">${label}</a></li>`)}
          </ul>`,
    ),
    html`<p class="muted none" hidden>Nothing has all of these words.</p>`,
  ];
  const text =
    path === ERRORS_PATH
      ? { path: ERRORS_FILE, type: 'text/markdown' }
      : { path: LLMS_PATH, type: 'text/plain' };
  const body = renderDocument(app, {
    t: translatorFor('en'),
    title,
    head: html`<meta name="description" content="${description}" />
      <link rel="alternate" type="${text.type}" href="${text.path}" />`,
    barEnd: html`<a class="button" href="/dashboard/">Dashboard</a>`,
    main: html`<div class="docs">
        <nav class="contents" aria-label="Contents">${list}</nav>
        <main id="main">
          <details class="jump">
            <summary>Contents</summary>
            <div class="contents">${list}</div>
          </details>
          ${main}
        </main>
      </div>
      ${trustedHtml(`<script>${SCRIPT}</script>`)}`,
    style: STYLE,
  });
  const headers = securityHeaders({
    ...PAGE_POLICY,
    'style-src': `'self' ${STYLE.cspSource}`,
    // The key must not end up in a URL, so the browser may submit no form.
    'form-action': "'none'",
    'script-src': `'sha256-${hash('sha256', SCRIPT, 'base64')}'`,
    'connect-src': "'self'",
  });
  return { body, headers };
}

/** Areas have pages below `/docs/owner/`. */
function isWithin(page: string, path: string): boolean {
  const [, owner] = REFERENCES;
  return page === path || (page === owner.path && AREA_PAGES.some((area) => area.path === path));
}

interface Reference {
  document: OpenApiDocument;
  path: string;
  file: string;
}

interface Area {
  name: string;
  title: string;
  description: string;
  routes: Route[];
}

function areasOf(document: OpenApiDocument): Area[] {
  return document.tags.map(({ name, 'x-displayName': title, description }) => ({
    ...{ name, title, description },
    routes: routesOf(document, name),
  }));
}

const linksTo = ({ routes }: Area): Link[] =>
  routes.map(({ operation }) => ({
    target: `#${operation.operationId}`,
    label: operation.summary,
  }));

const MORE: Link[] = [
  { target: '#notes', label: 'Good to know' },
  { target: '#webhooks', label: 'Webhooks' },
];

const GUIDES: Link[] = GUIDE_FILES.filter((file) => file.endsWith('.md')).map((file) => ({
  target: `/docs/${file}`,
  label: describeGuide(file, LOCAL_URL)[0],
}));

/** The objects that the rest of the page has linked to. */
const listObjects = ({ linkedSchemas }: SchemaContext) => ({
  title: 'Objects',
  links: [...linkedSchemas].map((name) => ({ target: `#object-${name}`, label: name })),
});

export function renderReferencePage(
  app: Pick<Core, 'instanceStore' | 'origin'>,
  { document, path, file }: Reference,
): DocsPage {
  const context: SchemaContext = { document, linkedSchemas: new Set() };
  const areas = areasOf(document);
  const isPublic = path === REFERENCES[0].path;
  const title = isPublic ? 'API reference' : 'API reference for owners';
  const { summary, description } = document.info;
  const [, ...notes] = description.split('\n\n');
  const start = { title: 'Start', links: [{ target: '#first-call', label: 'Your first call' }] };
  const operations = areas.map(
    (area) =>
      html`<section>
        <h3>${area.title}</h3>
        ${area.routes.map((route) =>
          isPublic ? renderOperation(context, route) : renderSummary(context, route),
        )}
      </section>`,
  );
  const webhooks = Object.entries(document.webhooks).map(([type, { post }]) =>
    renderWebhook(context, type, post),
  );
  const objects = renderObjects(context);
  return renderDocsPage(app, {
    path,
    title,
    description: summary,
    groups: [
      ...(isPublic ? [start] : []),
      ...areas.map((area) => ({ title: area.title, links: linksTo(area) })),
      { title: 'Guides', links: GUIDES },
      { title: 'More', links: MORE },
      listObjects(context),
    ],
    main: html`${renderHead(document, { title, summary, file })}
      ${isPublic && renderFirstCall(document.servers[0]!.url)}
      <h2>Operations</h2>
      <div class="card operations">${operations}</div>
      <h2 id="notes">Good to know</h2>
      <div class="card operations objects">${notes.map(renderNote)}</div>
      <h2 id="webhooks">Webhooks</h2>
      <div class="card operations objects">${webhooks}</div>
      <h2>Objects</h2>
      <div class="card operations objects">${objects}</div>`,
  });
}

/** The operations of one area of the owner API. */
export function renderAreaPage(
  app: Pick<Core, 'instanceStore' | 'origin'>,
  { document, path, file }: Reference,
): DocsPage | undefined {
  const context: SchemaContext = { document, linkedSchemas: new Set() };
  const areas = areasOf(document);
  const area = areas.find(({ name }) => path === REFERENCES[1].path + name);
  if (!area) return undefined;
  const operations = area.routes.map((route) => renderOperation(context, route));
  const objects = renderObjects(context);
  const others = areas.map(({ name, title }) => ({
    target: REFERENCES[1].path + name,
    label: title,
  }));
  return renderDocsPage(app, {
    path,
    title: `${area.title} – API reference for owners`,
    description: area.description,
    groups: [
      { title: area.title, links: linksTo(area) },
      ...(objects.length > 0 ? [listObjects(context)] : []),
      { title: 'Areas', links: others },
    ],
    main: html`${renderHead(document, { title: area.title, summary: area.description, file })}
      ${renderKeyField(document.servers[0]!.url)}
      <h2>Operations</h2>
      <div class="card operations">
        <section>
          <h3>${area.title}</h3>
          ${operations}
        </section>
      </div>
      ${
        objects.length > 0 &&
        html`<h2>Objects</h2>
          <div class="card operations objects">${objects}</div>`
      }`,
  });
}

function renderHead(
  document: OpenApiDocument,
  { title, summary, file }: { title: string; summary: string; file: string },
): Html {
  return html`<header class="head">
    <h1>${title}</h1>
    <p class="muted">${summary}</p>
    <p class="muted">Base URL <code>${document.servers[0]!.url}</code></p>
    <p class="row">
      <a href="${REFERENCES.find((it) => it.file === file)!.path}#notes">Good to know</a>
      <a href="${file}">OpenAPI file</a>
      <a href="${LLMS_PATH}">llms.txt</a>
    </p>
  </header>`;
}

function routesOf({ paths }: OpenApiDocument, area: string): Route[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, operation]) => operation.tags[0] === area)
      .map(([method, operation]) => ({ method, path, operation })),
  );
}

/** A paragraph such as `**Errors.** Every response …`: its title and first sentence, then the rest. */
function renderNote(text: string): Html {
  const [title = '', first = '', ...rest] = text.slice(2).split(/\.\*\* |(?<=\.) /);
  return html`<details>
    <summary><strong>${title}</strong><span>${renderText(first)}</span></summary>
    <p id="${title.toLowerCase().replaceAll(/\W+/g, '-')}" class="columns">
      ${renderText(rest.join(' '))}
    </p>
  </details>`;
}

/** Rendering an object can link to further objects, which are appended to the set. */
function renderObjects(context: SchemaContext): Html[] {
  const objects: Html[] = [];
  for (const name of context.linkedSchemas)
    objects.push(
      html`<details name="operation">
        <summary><code>${name}</code></summary>
        <div id="object-${name}" class="columns">
          ${renderObject(context, { $ref: `schemas/${name}` })}
        </div>
      </details>`,
    );
  return objects;
}

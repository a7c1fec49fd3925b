import type { App } from '#server/app.ts';
import { ownerContract } from '#contract/owner/index.ts';
import type { Route } from '#contract/define-endpoints.ts';
import { formatMessage } from '#contract/refusal.ts';
import { type Html, html } from '#page/html.ts';
import { renderDocument } from '#server/platform/http/responses/page.ts';
import { translatorFor } from '#server/platform/text/language.ts';
import { type DeclaredError, listErrors } from './list-errors.ts';
import { ERRORS_PATH, REFERENCES } from './openapi-document.ts';
import { REFERENCE_STYLE, renderDocumentLinks } from './reference-page.ts';
import { renderText } from './reference-schema.ts';

const ADVICE: Record<number, string> = {
  400: 'Correct the request. Unchanged, it fails again.',
  401: 'Send a valid key in the header `X-API-KEY`, or log in.',
  403: 'Use a key or an account that may do this, or do what the message asks for.',
  404: 'Check the path, and the ids in the request.',
  405: 'Use a method that the header `Allow` lists.',
  408: 'Send the request again.',
  409: 'Look at the current state, then decide whether to send another request.',
  413: 'Send a smaller body.',
  415: 'Correct the headers `Content-Type` and `Content-Encoding`.',
  421: 'Use the address of the server.',
  429: 'Wait for the seconds in the header `Retry-After`, then send the request again.',
  431: 'Send shorter headers.',
  500: 'Send the request again after `Retry-After` if the response has that header, a write with the same `Idempotency-Key`. Otherwise give the operator the `X-Request-Id`.',
  503: 'Send the request again after the seconds in the header `Retry-After`.',
};

/** In English, like the API reference. Each code has one entry, which is the target of its link. */
export function renderErrorsPage(app: Pick<App, 'instanceStore' | 'origin'>): string {
  const sections = [...listErrors()];
  const errorsByCode = Map.groupBy(
    sections.flatMap(([, errors]) => errors),
    ({ code }) => code,
  );
  const codesByTitle = sections.map(([title, errors]) => {
    const codes = errors.filter((error) => errorsByCode.get(error.code)![0] === error);
    return [title, codes.map(({ code }) => code).toSorted()] as const;
  });
  return renderDocument(app, {
    t: translatorFor('en'),
    title: 'Errors',
    barEnd: html`<a href="/docs/">Your first call</a>`,
    main: html`<div class="docs reference">
      <nav class="areas" aria-label="Errors">
        ${renderDocumentLinks(ERRORS_PATH)}
        ${codesByTitle.map(
          ([title, codes]) =>
            html`<details>
              <summary>${title}</summary>
              <ul>
                ${codes.map((code) => html`<li><a href="#${code}">${code}</a></li>`)}
              </ul>
            </details>`,
        )}
      </nav>
      <main id="main">
        <h1>Errors</h1>
        <p>
          An error is <code>{ "error": "…" }</code> with its code in the header
          <code>X-Error-Code</code>. Messages may change, codes never do.
        </p>
        ${codesByTitle.map(
          ([title, codes]) =>
            html`<h2>${title}</h2>
              <div class="error-list">
                ${codes.map(
                  (code) =>
                    html`<section id="${code}">
                      <h3><code>${code}</code></h3>
                      ${withoutRepetitions(errorsByCode.get(code)!).map(renderError)}
                    </section>`,
                )}
              </div>`,
        )}
      </main>
    </div>`,
    style: REFERENCE_STYLE,
  });
}

/** Single endpoints repeat errors of every endpoint. */
function withoutRepetitions(errors: readonly DeclaredError[]): DeclaredError[] {
  return [...Map.groupBy(errors, ({ when }) => when).values()].map(([first]) => first!);
}

function renderError({ status, when, message, example, routes }: DeclaredError): Html {
  return html`<p><b>${String(status)}</b> ${renderText(when)}</p>
    <p><q>${formatMessage(message, example)}</q></p>
    <p class="muted">${renderText(ADVICE[status]!)}</p>
    ${
      routes.length > 0 &&
      html`<ul>
        ${routes.map(
          (route) =>
            html`<li>
              <a href="${referenceOf(route)}"><code>${route.method} ${route.path}</code></a>
            </li>`,
        )}
      </ul>`
    }`;
}

const OWNER_ROUTES = new Set(Object.values(ownerContract).flatMap((area) => Object.values(area)));

function referenceOf(route: Route): string {
  const [publicReference, ownerReference] = REFERENCES;
  const { path } = (OWNER_ROUTES as Set<Route>).has(route) ? ownerReference : publicReference;
  return `${path}#${route.method.toLowerCase()}${route.path}`;
}

import type { Contract, Route } from '#contract/define-endpoints.ts';
import { contract } from '#contract/index.ts';
import { ownerContract } from '#contract/owner/index.ts';
import { formatMessage } from '#contract/refusal.ts';
import { type Html, html } from '#page/html/html.ts';
import type { Core } from '#server/core.ts';
import { ERRORS_INTRO, type DeclaredError, isTemporary, listErrorsByCode } from './list-errors.ts';
import { type DocsPage, renderDocsPage } from './reference-page.ts';
import { renderText } from './reference-schema.ts';
import { ERRORS_PATH, REFERENCES } from './references.ts';

const MAX_SHOWN_ROUTES = 3;

export function renderErrorsPage(app: Pick<Core, 'instanceStore' | 'origin' | 'server'>): DocsPage {
  const errorsByCode = listErrorsByCode(app.server.pathsOff);
  return renderDocsPage(app, {
    path: ERRORS_PATH,
    title: 'Errors',
    description: 'Every error code, and what to do about it.',
    groups: [
      {
        title: 'Codes',
        links: errorsByCode.map(([code]) => ({ target: `#${code}`, label: code })),
      },
    ],
    main: html`<header class="head">
        <h1>Errors</h1>
        <p class="muted">${renderText(ERRORS_INTRO)}</p>
      </header>
      <div class="card operations codes">
        ${errorsByCode.map(
          ([code, errors]) =>
            html`<details>
              <summary>
                <span
                  ><code>${code}</code> ${[...new Set(errors.map(({ status }) => status))].map(
                    (status) => html`<span class="method">${status}</span> `,
                  )}</span
                >
              </summary>
              <div id="${code}" class="columns">${errors.map(renderError)}</div>
            </details>`,
        )}
      </div>`,
  });
}

function renderError(error: DeclaredError): Html {
  const { when, message, example, section, routes } = error;
  const links = routes.map(renderLink);
  const text = formatMessage(message, example);
  return html`<p>${renderText(when)} ${isTemporary(error) && 'A retry can help.'}</p>
    ${text !== when && html`<p class="muted"><q>${text}</q></p>`}
    <div class="routes muted">
      ${section !== 'Single endpoints' && html`<p>${section}${links.length > 0 && ', and:'}</p>`}
      ${
        links.length > MAX_SHOWN_ROUTES
          ? html`<details>
              <summary>${links.length} endpoints</summary>
              ${links}
            </details>`
          : links
      }
    </div>`;
}

const linksOf = (areas: Contract, pathOf: (area: string) => string): [Route, string][] =>
  Object.entries(areas).flatMap(([area, routes]) =>
    Object.entries(routes).map(([id, route]): [Route, string] => [route, `${pathOf(area)}#${id}`]),
  );

const LINKS = new Map([
  ...linksOf(contract, () => REFERENCES[0].path),
  ...linksOf(ownerContract, (area) => REFERENCES[1].path + area),
]);

function renderLink(route: Route): Html {
  return html`<a href="${LINKS.get(route)}"><code>${route.method} ${route.path}</code></a> `;
}

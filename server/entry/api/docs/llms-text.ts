import type { Contract, Route } from '#contract/define-endpoints.ts';
import { contract } from '#contract/index.ts';
import { ownerContract } from '#contract/owner/index.ts';
import { requiredScope } from '#contract/scope.ts';
import type { Core } from '#server/core.ts';
import type { OpenApiDocument } from '#server/platform/openapi-documents.ts';
import { ERRORS_PATH, REFERENCES } from './references.ts';

const [PUBLIC, OWNER] = REFERENCES;

/** What the server is, its endpoints and documents, for language models (https://llmstxt.org). */
export function renderLlmsText(
  app: Pick<Core, 'instanceStore' | 'origin'>,
  { info }: OpenApiDocument,
): string {
  const origin = app.origin();
  return `# ${app.instanceStore.current.displayName}

> ${info.summary}

${info.description}

## Documents

- [OpenAPI document](${origin}${PUBLIC.file}): every field, limit and error of the API
- [OpenAPI document for owners](${origin}${OWNER.file}): the same for everything that the dashboard does
- [Error codes](${origin}${ERRORS_PATH}): what each of them means
- [MCP server](${origin}/mcp): the endpoints as tools

## API

${listEndpoints(contract, origin + PUBLIC.path)}

## API for owners

${listEndpoints(ownerContract, origin + OWNER.path)}
`;
}

function listEndpoints(areas: Contract, reference: string): string {
  return Object.entries(areas)
    .flatMap(([area, routes]) => Object.values(routes).map((route) => ({ area, route })))
    .map(
      ({ area, route }) =>
        `- [${route.method} ${route.path}](${reference}${area}.md): ${route.summary} (${describeAccess(route)})`,
    )
    .join('\n');
}

function describeAccess(route: Route): string {
  return route.metadata.access === 'none' ? 'no key' : `scope ${requiredScope(route)}`;
}

import type { Contract, Route } from '#contract/define-endpoints.ts';
import { contract } from '#contract/index.ts';
import { ownerContract } from '#contract/owner/index.ts';
import { requiredScope } from '#contract/scope.ts';
import type { Core } from '#server/core.ts';
import type { OpenApiDocument } from '#server/platform/openapi-documents.ts';
import { describeGuide, GUIDE_FILES } from './guides.ts';
import { ERRORS_FILE, REFERENCES } from './references.ts';

const [PUBLIC, OWNER] = REFERENCES;
const EXAMPLES = GUIDE_FILES.filter((file) => file.startsWith('examples/'));

/** What the server is, its endpoints and documents, for language models (https://llmstxt.org). */
export function renderLlmsText(
  app: Pick<Core, 'instanceStore' | 'origin' | 'server'>,
  { info }: OpenApiDocument,
): string {
  const origin = app.origin();
  const isOn = ({ path }: Route) => !app.server.pathsOff.has(path);
  return `# ${app.instanceStore.current.displayName}

> ${info.summary}

${info.description}

**MCP.** The endpoints are also tools of the MCP server at \`${origin}/mcp\` (streamable HTTP), with the same key. It offers the most useful ones; \`${origin}/mcp?tools=keys,projects\` adds areas or single tools, \`?tools=all\` all.

**Markdown.** Each area has a document with its operations and all their fields: \`${origin}${PUBLIC.path}stats.md\`, for owners \`${origin}${OWNER.path}metrics.md\`.

**Programs.** The SDK is the TypeScript package \`@nameplate/client\`; \`ownerOf\` of \`@nameplate/client/owner\` has the operations for owners. Each release of Nameplate contains it as a file for \`npm install\`; in a clone, \`npm ci && cd client && npm pack\` builds it. There, the command \`npx nameplate --help\` calls the operations from a shell. Other languages need only HTTP: ${EXAMPLES.map((file) => `${origin}/docs/${file}`).join(', ')}.

## Documents

- [Error codes](${origin}${ERRORS_FILE}): what each of them means, and whether a retry can help
${listGuides(origin)}
- [OpenAPI document](${origin}${PUBLIC.file}): every field, limit and error of the API
- [OpenAPI document for owners](${origin}${OWNER.file}): the same for everything that the dashboard does

## API

${listEndpoints(contract, origin + PUBLIC.path)}

## API for owners

${listEndpoints(ownerContract, origin + OWNER.path, (route) => isOn(route) && !isForOperators(route))}

## Optional

${listEndpoints(ownerContract, origin + OWNER.path, (route) => isOn(route) && isForOperators(route))}
`;
}

function listGuides(origin: string): string {
  return GUIDE_FILES.filter((file) => file.endsWith('.md'))
    .map((file) => {
      const [title, text] = describeGuide(file, origin);
      return `- [${title}](${origin}/docs/${file}): ${text}`;
    })
    .join('\n');
}

const isForOperators = (route: Route): boolean => requiredScope(route) === 'operator';

function listEndpoints(
  areas: Contract,
  reference: string,
  isListed: (route: Route) => boolean = () => true,
): string {
  return Object.entries(areas)
    .flatMap(([area, routes]) => Object.values(routes).map((route) => ({ area, route })))
    .filter(({ route }) => isListed(route))
    .map(
      ({ area, route }) =>
        `- [${route.method} ${route.path}](${reference}${area}.md): ${route.summary} (${describeAccess(route)})`,
    )
    .join('\n');
}

function describeAccess(route: Route): string {
  return route.metadata.access === 'none' ? 'no key' : `scope ${requiredScope(route)}`;
}

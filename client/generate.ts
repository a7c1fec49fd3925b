import { readFileSync } from 'node:fs';
import type { Contract } from '../contract/define-endpoints.ts';
import { contract } from '../contract/index.ts';
import {
  type CollectedContract,
  collectOperations,
} from '../contract/openapi/collect-operations.ts';
import { variantsOf } from '../contract/openapi/variants.ts';
import {
  authenticatedContract,
  unauthenticatedContract,
  ownerContract,
} from '../contract/owner/index.ts';
import { THEME_IDS, THEMES } from '../contract/themes.ts';
import { NON_ENDPOINT_REFUSALS } from '../server/platform/http/responses/refusals.ts';
import { formatGenerated, writeGenerated } from '../tools/generated-file.ts';
import { createBlockSchemas } from './generator/block-types.ts';
import { listErrorCodes, printErrorCodes } from './generator/error-codes.ts';
import { printDeclarations, printAreas, printOperations } from './generator/print-operations.ts';
import { printWebhookEvents } from './generator/webhook-events.ts';

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')) as {
  version: string;
};

const themes = THEMES.map(
  ({ id, name, settings }) => `/** ${settings.description} */\n'${name.toLowerCase()}': '${id}',`,
);

async function collectWithBlocks(routes: Contract): Promise<CollectedContract> {
  const { operations, schemas } = collectOperations(routes);
  // Makes the id of a theme that was read assignable to that of a request.
  const themeId = schemas['Site']?.properties?.['theme_id']?.anyOf?.[0];
  if (themeId) themeId.enum = [...THEME_IDS];
  return {
    operations,
    schemas: {
      ...schemas,
      ...variantsOf(schemas, ['ChatMessage']),
      ...createBlockSchemas(schemas),
    },
  };
}

const api = await collectWithBlocks(contract);
const sharedTypes = { file: './operations.ts', types: printDeclarations(api) };
const owner = await collectWithBlocks(authenticatedContract as Contract);
/** Not published: only pages of the server can log in. */
const login = collectOperations(unauthenticatedContract as Contract);
const generated = {
  'operations.ts': printOperations(api, 'client'),
  'owner-operations.ts': `${printOperations(owner, 'owner', sharedTypes)}\n\n${printAreas(owner, 'Owner')}`,
  'login-operations.ts': `${printOperations(login, 'login')}\n\n${printAreas(login, 'Login')}`,
  'webhook-events.ts': printWebhookEvents(),
  'error-codes.ts': printErrorCodes([
    ...listErrorCodes(contract),
    ...listErrorCodes(ownerContract),
    ...Object.keys(NON_ENDPOINT_REFUSALS),
  ]),
  'themes.ts': `// Generated from the contract: change it there and run \`npm run generate\`.\n\n/** The ids of the preset themes by their names, to send as \`theme_id\`. */\nexport const themes = {\n${themes.join('\n')}\n} as const;\n`,
  'version.ts': `/** The version of this package. */\nexport const VERSION = '${version}';\n`,
};

for (const [name, source] of Object.entries(generated)) {
  const file = new URL(`src/generated/${name}`, import.meta.url);
  writeGenerated(file, formatGenerated(file, source));
}

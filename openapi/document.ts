import { generateOpenApiAsync } from '@ts-rest/open-api';
import { z } from 'zod';
import { contract } from '../contract/index.ts';
import { ComponentCollector } from './components.ts';
import { info, servers, tags } from './info.ts';
import type { JsonObject } from './json.ts';
import { completeOperation } from './operation.ts';
import type { OperationId } from './operation-id.ts';

/** The OpenAPI 3.1 document of the contract. */
export async function buildDocument(): Promise<JsonObject> {
  const components = new ComponentCollector();
  // @NOTE the synchronous generator leaves request headers out.
  const generated = await generateOpenApiAsync(
    contract,
    { info: { title: '', version: '' } },
    {
      setOperationId: true,
      schemaTransformer: async ({ schema, type }) =>
        schema instanceof z.ZodType
          ? components.schema(schema, type === 'response' ? 'output' : 'input')
          : null,
      operationMapper: (operation, route, id) =>
        completeOperation(
          operation,
          route,
          id as OperationId,
          components,
        ) as unknown as typeof operation,
    },
  );
  return {
    openapi: '3.1.0',
    info,
    servers,
    security: [{ ApiKey: [] }],
    tags,
    paths: generated.paths,
    components: components.all(),
  };
}

/** The document as it is published, byte for byte. */
export async function documentText(): Promise<string> {
  return `${JSON.stringify(await buildDocument(), null, 2)}\n`;
}

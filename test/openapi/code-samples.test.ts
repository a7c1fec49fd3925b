import { expect, it } from 'vitest';
import { buildDocument, buildOwnerDocument } from '#contract/openapi/document.ts';
import { unauthenticatedContract } from '#contract/owner/index.ts';
import { codeSamples } from '#server/entry/api/docs/code-samples.ts';
import type { OpenApiDocument } from '#server/platform/openapi-documents.ts';

/** Ids of operations without authentication. */
const UNAUTHENTICATED = new Set<string>(
  Object.values(unauthenticatedContract).flatMap((area) => Object.keys(area)),
);

it.each([
  ['public', 'client', buildDocument()],
  ['owner', 'ownerOf(client)', buildOwnerDocument()],
])(
  'every operation of the %s document has samples for curl, the SDK with its method name, Python and Go',
  (_name, client, json) => {
    const document = json as unknown as OpenApiDocument;
    for (const [path, methods] of Object.entries(document.paths))
      for (const [method, operation] of Object.entries(methods)) {
        const [curl, sdk, python, go] = codeSamples(document, { method, path, operation });
        expect(curl!.source).toMatch(
          /^curl \\\n {2}'?http:\/\/127\.0\.0\.1:3000(\S+?)(?:\?\S+')? \\\n/,
        );
        expect(curl!.source).toContain(`http://127.0.0.1:3000${path}`);
        const [area] = operation.tags;
        const call = `await ${client}.${area}.${operation.operationId}(`;
        if (UNAUTHENTICATED.has(operation.operationId)) expect(sdk).toBeUndefined();
        else expect(sdk!.source).toContain(call);
        if (sdk) expect(python!.source).toContain(`    'http://127.0.0.1:3000${path}`);
        if (sdk) expect(go!.source).toContain(`"http://127.0.0.1:3000${path}`);
      }
  },
);

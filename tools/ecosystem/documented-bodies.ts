import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BLOCK_TYPES } from '../../contract/shared/blocks.ts';

const docs = join(import.meta.dirname, '../../docs');
const CURL_BODY = /^curl(?<options>[^`]*?)-d '(?<body>\{.*\})' \\\n *http:\/\/[^/]+(?<path>\S+)/gm;
const JSON_BLOCK = /^```json\n(?<json>.*?)^```/gms;

/** Writes the documents' request bodies as constants with the types of openapi-typescript. */
export function writeDocumentedBodies(file: string): void {
  const bodies = [...read('api.md').matchAll(CURL_BODY)].map(({ groups = {} }) => {
    const { options = '', body = '', path = '' } = groups;
    const method = /-X (\w+)/.exec(options)?.[1]?.toLowerCase() ?? 'post';
    return [
      `NonNullable<(paths & OwnerPaths)['${path}']['${method}']['requestBody']>['content']['application/json']`,
      body,
    ];
  });
  const blocks = [...read('site-blocks.md').matchAll(JSON_BLOCK)].flatMap(({ groups = {} }) =>
    [JSON.parse(groups['json'] ?? '') as { type: string }]
      .flat()
      // Generated unions narrow by `type`, so they have no blocks of unknown kinds.
      .filter(({ type }) => (BLOCK_TYPES as readonly string[]).includes(type))
      .map((block) => [`components['schemas']['BlockUpdate']`, JSON.stringify(block)]),
  );
  if (bodies.length === 0 || blocks.length === 0)
    throw new Error('The documents have no examples.');
  const constants = [...bodies, ...blocks].map(
    ([type, json], index) => `export const example${index}: ${type} = ${json};\n`,
  );
  const imports = [
    "import type { paths as OwnerPaths } from './owner.d.ts';\n",
    "import type { components, paths } from './schema.d.ts';\n",
  ];
  writeFileSync(file, [...imports, ...constants].join(''));
}

function read(name: string): string {
  return readFileSync(join(docs, name), 'utf8');
}

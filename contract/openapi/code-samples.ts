import { inspect } from 'node:util';
import { isPublic, type Operation, exampleQuery } from './collect-operations.ts';
import { LOCAL_URL } from './info.ts';
import type { Json, JsonObject } from './json.ts';

export function codeSamples(operation: Operation, body: Json | undefined): JsonObject[] {
  const samples = [{ lang: 'Shell', label: 'curl', source: curlSample(operation, body) }];
  // Scripts need an API key, so they call no public operations.
  if (isPublic(operation)) return samples;
  return [
    ...samples,
    { lang: 'TypeScript', label: 'SDK', source: sdkSample(operation, body) },
    { lang: 'JavaScript', label: 'fetch', source: fetchSample(operation, body) },
    { lang: 'Python', label: 'Python', source: pythonSample(operation, body) },
  ];
}

const CONTINUED = ' \\\n  ';

function curlSample(operation: Operation, body: Json | undefined): string {
  const { method } = operation;
  const url = exampleUrl(operation);
  const lines = [
    'curl',
    url.includes('?') ? `'${url}'` : url,
    isPublic(operation)
      ? `--header 'Origin: ${LOCAL_URL}'`
      : '--header "X-API-KEY: $NAMEPLATE_API_KEY"',
  ];
  if (method !== 'GET') lines.splice(2, 0, `--request ${method}`);
  if (operation.route.metadata.uploadTypes)
    lines.push("--header 'Content-Type: image/jpeg'", '--data-binary @picture.jpg');
  if (body === undefined) return lines.join(CONTINUED);
  lines.push("--header 'Content-Type: application/json'", `--data @- <<'END'`);
  return `${lines.join(CONTINUED)}\n${JSON.stringify(body, null, 2)}\nEND`;
}

function exampleUrl(operation: Operation): string {
  const search = new URLSearchParams(exampleQuery(operation)).toString();
  return `${LOCAL_URL}${operation.path}${search && `?${search}`}`;
}

function fetchSample(operation: Operation, body: Json | undefined): string {
  const { method, route } = operation;
  const { fileTypes, uploadTypes } = route.metadata;
  const type = uploadTypes ? 'image/jpeg' : 'application/json';
  const content = uploadTypes
    ? "await readFile('picture.jpg')"
    : body && `JSON.stringify(${printLiteral(body, '  ')})`;
  return [
    ...(uploadTypes ? ["import { readFile } from 'node:fs/promises';", ''] : []),
    `const response = await fetch('${exampleUrl(operation)}', {`,
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    '  headers: {',
    "    'X-API-KEY': process.env.NAMEPLATE_API_KEY,",
    ...(content ? [`    'Content-Type': '${type}',`] : []),
    '  },',
    ...(content ? [`  body: ${content},`] : []),
    '});',
    `console.log(await response.${fileTypes ? 'blob' : 'json'}());`,
  ].join('\n');
}

function pythonSample(operation: Operation, body: Json | undefined): string {
  const { method, route } = operation;
  const { fileTypes, uploadTypes } = route.metadata;
  const type = uploadTypes ? 'image/jpeg' : 'application/json';
  const content = uploadTypes
    ? "open('picture.jpg', 'rb').read()"
    : body && `r'''${JSON.stringify(body, null, 4)}'''.encode()`;
  return [
    ...(fileTypes ? ['import os', 'import shutil'] : ['import json', 'import os']),
    ...['import urllib.error', 'import urllib.request', ''],
    ...(content ? [`body = ${content}`] : []),
    'request = urllib.request.Request(',
    `    '${exampleUrl(operation)}',`,
    `    method='${method}',`,
    '    headers={',
    "        'X-API-KEY': os.environ['NAMEPLATE_API_KEY'],",
    ...(content ? [`        'Content-Type': '${type}',`] : []),
    '    },',
    ...(content ? ['    data=body,'] : []),
    ')',
    'try:',
    '    with urllib.request.urlopen(request) as response:',
    ...(fileTypes
      ? [
          "        with open('download', 'wb') as file:",
          '            shutil.copyfileobj(response, file)',
        ]
      : ['        print(json.load(response))']),
    'except urllib.error.HTTPError as error:',
    "    print(error.code, error.headers['X-Error-Code'], error.read().decode())",
  ].join('\n');
}

function sdkSample(operation: Operation, body: Json | undefined): string {
  const { area, id, path, route } = operation;
  const { fileTypes, uploadTypes } = route.metadata;
  const isOwnerOperation = path.startsWith('/owner/');
  const query = exampleQuery(operation);
  const input = body ?? (Object.keys(query).length > 0 ? query : undefined);
  const argument = uploadTypes
    ? "await readFile('picture.jpg')"
    : input === undefined
      ? ''
      : printLiteral(input);
  return [
    ...(uploadTypes ? ["import { readFile } from 'node:fs/promises';"] : []),
    ...(fileTypes ? ["import { writeFile } from 'node:fs/promises';"] : []),
    "import { Nameplate } from '@nameplate/client';",
    ...(isOwnerOperation ? ["import { ownerOf } from '@nameplate/client/owner';"] : []),
    '',
    'const client = new Nameplate({',
    '  apiKey: process.env.NAMEPLATE_API_KEY,',
    `  baseUrl: '${LOCAL_URL}',`,
    '});',
    `const result = await ${isOwnerOperation ? 'ownerOf(client)' : 'client'}.${area}.${id}(${argument});`,
    fileTypes ? "await writeFile('download', result.body!);" : 'console.log(result);',
  ].join('\n');
}

/** Prints each entry on a line of its own, with a comma after the last one. */
function printLiteral(value: Json, indent = ''): string {
  return inspect(value, { compact: false, depth: null, breakLength: Infinity })
    .replaceAll(/(?<![{[])\n(?= *[}\]])/g, ',\n')
    .replaceAll('\n', `\n${indent}`);
}

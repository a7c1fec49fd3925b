import { inspect } from 'node:util';
import { exampleOf } from '#contract/openapi/example-of.ts';
import type { Json } from '#contract/openapi/json.ts';
import {
  type OpenApiDocument,
  type OpenApiOperation,
  type OpenApiResponse,
  type Parameter,
  resolve,
} from '#server/platform/openapi-documents.ts';

interface Call {
  method: string;
  path: string;
  url: string;
  /** An area and the id of an operation, such as `site.getSiteStatus`. */
  name: string;
  isOwnerOperation: boolean;
  /** Whether it needs no key. */
  isPublic: boolean;
  isUpload: boolean;
  isDownload: boolean;
  query: Record<string, string>;
  body: Json | undefined;
}

export interface Sample {
  label: string;
  source: string;
}

export function codeSamples(
  document: OpenApiDocument,
  route: { method: string; path: string; operation: OpenApiOperation },
): Sample[] {
  const call = readCall(document, route);
  const samples = [{ label: 'curl', source: curlSample(call) }];
  // Scripts need an API key, so they call no public operations.
  if (call.isPublic) return samples;
  return [
    ...samples,
    { label: 'TypeScript', source: sdkSample(call) },
    { label: 'Python', source: pythonSample(call) },
    { label: 'Go', source: goSample(call) },
  ];
}

export function readCall(
  document: OpenApiDocument,
  { method, path, operation }: { method: string; path: string; operation: OpenApiOperation },
): Call {
  const { operationId, tags, parameters = [], requestBody, responses } = operation;
  const query = parameters
    .map((parameter) => resolve<Parameter>(document, parameter))
    .filter((parameter) => parameter.in === 'query' && parameter.required)
    .map(({ name, schema }): [string, string] => [name, String(exampleOf(schema, {}))]);
  const search = new URLSearchParams(query).toString();
  const [success] = Object.values(responses);
  const { content = {} } = resolve<OpenApiResponse>(document, success!);
  return {
    method: method.toUpperCase(),
    path,
    url: `${document.servers[0]!.url}${path}${search && `?${search}`}`,
    name: `${tags[0]}.${operationId}`,
    isOwnerOperation: path.startsWith('/owner/'),
    isPublic: operation['x-scope'] === undefined,
    isUpload: requestBody !== undefined && !requestBody.content['application/json'],
    isDownload: Object.keys(content)[0] !== 'application/json',
    query: Object.fromEntries(query),
    body: requestBody?.content['application/json']?.example as Json | undefined,
  };
}

const CONTINUED = ' \\\n  ';

function curlSample({ method, url, isPublic, isUpload, body }: Call): string {
  const lines = [
    'curl',
    url.includes('?') ? `'${url}'` : url,
    isPublic
      ? `--header 'Origin: ${new URL(url).origin}'`
      : '--header "X-API-KEY: $NAMEPLATE_API_KEY"',
  ];
  if (method !== 'GET') lines.splice(2, 0, `--request ${method}`);
  if (isUpload) lines.push("--header 'Content-Type: image/jpeg'", '--data-binary @picture.jpg');
  if (body === undefined) return lines.join(CONTINUED);
  lines.push("--header 'Content-Type: application/json'", `--data @- <<'END'`);
  return `${lines.join(CONTINUED)}\n${JSON.stringify(body, null, 2)}\nEND`;
}

function pythonSample({ method, url, isUpload, isDownload, body }: Call): string {
  const type = isUpload ? 'image/jpeg' : 'application/json';
  const content = isUpload
    ? "open('picture.jpg', 'rb').read()"
    : body && `r'''${JSON.stringify(body, null, 4)}'''.encode()`;
  return [
    ...(isDownload ? ['import os', 'import shutil'] : ['import json', 'import os']),
    ...['import urllib.error', 'import urllib.request', ''],
    ...(content ? [`body = ${content}`] : []),
    'request = urllib.request.Request(',
    `    '${url}',`,
    `    method='${method}',`,
    '    headers={',
    "        'X-API-KEY': os.environ['NAMEPLATE_API_KEY'],",
    ...(content ? [`        'Content-Type': '${type}',`] : []),
    '    },',
    ...(content ? ['    data=body,'] : []),
    ')',
    'try:',
    '    with urllib.request.urlopen(request) as response:',
    ...(isDownload
      ? [
          "        with open('download', 'wb') as file:",
          '            shutil.copyfileobj(response, file)',
        ]
      : ['        print(json.load(response))']),
    'except urllib.error.HTTPError as error:',
    "    print(error.code, error.headers['X-Error-Code'], error.read().decode())",
  ].join('\n');
}

function goSample({ method, url, isUpload, isDownload, body }: Call): string {
  const type = isUpload ? 'image/jpeg' : 'application/json';
  // A literal between backticks cannot have one.
  const json = JSON.stringify(body, null, '\t')?.replaceAll('`', String.raw`\u0060`);
  const content = isUpload
    ? 'picture'
    : json === undefined
      ? 'nil'
      : `strings.NewReader(\`${json}\`)`;
  const packages = [
    ...['fmt', 'io', 'net/http', 'os'],
    ...(json !== undefined && !isUpload ? ['strings'] : []),
  ];
  const panic = ['\tif err != nil {', '\t\tpanic(err)', '\t}'];
  const [target, result] = isDownload
    ? ['file, err := os.Create("download")', 'io.Copy(file, response.Body)']
    : ['text, err := io.ReadAll(response.Body)', 'fmt.Println(string(text))'];
  return [
    ...['package main', '', 'import ('],
    ...packages.map((name) => `\t"${name}"`),
    ...[')', '', 'func main() {'],
    ...(isUpload ? ['\tpicture, err := os.Open("picture.jpg")', ...panic] : []),
    `\trequest, err := http.NewRequest("${method}", "${url}", ${content})`,
    ...panic,
    '\trequest.Header.Set("X-API-KEY", os.Getenv("NAMEPLATE_API_KEY"))',
    ...(content === 'nil' ? [] : [`\trequest.Header.Set("Content-Type", "${type}")`]),
    '\tresponse, err := http.DefaultClient.Do(request)',
    ...panic,
    '\tdefer response.Body.Close()',
    '\tfmt.Println(response.Status, response.Header.Get("X-Error-Code"))',
    `\t${target}`,
    ...panic,
    `\t${result}`,
    '}',
  ].join('\n');
}

function sdkSample({
  name,
  url,
  isOwnerOperation,
  isUpload,
  isDownload,
  query,
  body,
}: Call): string {
  const input = body ?? (Object.keys(query).length > 0 ? query : undefined);
  const argument = isUpload
    ? "await readFile('picture.jpg')"
    : input === undefined
      ? ''
      : printLiteral(input);
  return [
    ...(isUpload ? ["import { readFile } from 'node:fs/promises';"] : []),
    ...(isDownload ? ["import { writeFile } from 'node:fs/promises';"] : []),
    "import { Nameplate } from '@nameplate/client';",
    ...(isOwnerOperation ? ["import { ownerOf } from '@nameplate/client/owner';"] : []),
    '',
    'const client = new Nameplate({',
    '  apiKey: process.env.NAMEPLATE_API_KEY,',
    `  baseUrl: '${new URL(url).origin}',`,
    '});',
    `const result = await ${isOwnerOperation ? 'ownerOf(client)' : 'client'}.${name}(${argument});`,
    isDownload ? "await writeFile('download', result.body!);" : 'console.log(result);',
  ].join('\n');
}

/** Prints each entry on a line of its own, with a comma after the last one. */
function printLiteral(value: Json): string {
  const text = inspect(value, { compact: false, depth: null, breakLength: Infinity });
  return text.replaceAll(/(?<![{[])\n(?= *[}\]])/g, ',\n');
}

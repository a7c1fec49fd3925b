import { LOCAL } from './info.ts';
import type { Json, JsonObject } from './json.ts';
import { isOpen, type Operation, queryOf } from './walk.ts';

/** The request of an operation as a reader would write it: with curl and with the SDK. */
export function codeSamples(operation: Operation, body: Json | undefined): JsonObject[] {
  const shell = { lang: 'Shell', label: 'curl', source: curl(operation, body) };
  // The SDK works with keys alone.
  if (isOpen(operation)) return [shell];
  return [shell, { lang: 'TypeScript', label: 'SDK', source: sdk(operation, body) }];
}

function curl(operation: Operation, body: Json | undefined): string {
  const { method, path } = operation;
  const search = new URLSearchParams(queryOf(operation)).toString();
  const url = `${LOCAL}${path}`;
  const lines = [
    `curl ${search ? `'${url}?${search}'` : url}`,
    isOpen(operation)
      ? "--header 'Sec-Fetch-Site: same-origin'"
      : '--header "X-API-KEY: $NAMEPLATE_API_KEY"',
  ];
  if (method !== 'GET') lines.splice(1, 0, `--request ${method}`);
  if (operation.route.metadata.upload)
    lines.push("--header 'Content-Type: image/jpeg'", '--data-binary @picture.jpg');
  if (body !== undefined)
    lines.push(
      "--header 'Content-Type: application/json'",
      `--data '${JSON.stringify(body).replaceAll("'", String.raw`'\''`)}'`,
    );
  return lines.join(' \\\n  ');
}

function sdk(operation: Operation, body: Json | undefined): string {
  const { area, id, path, route } = operation;
  const { upload } = route.metadata;
  const isOwners = path.startsWith('/owner/');
  const query = queryOf(operation);
  const sent = body ?? (Object.keys(query).length > 0 ? query : undefined);
  const argument = upload
    ? "await readFile('picture.jpg')"
    : sent === undefined
      ? ''
      : literal(sent);
  return [
    ...(upload ? ["import { readFile } from 'node:fs/promises';"] : []),
    "import { Nameplate } from '@nameplate/client';",
    ...(isOwners ? ["import { ownerOf } from '@nameplate/client/owner';"] : []),
    '',
    'const client = new Nameplate({',
    '  apiKey: process.env.NAMEPLATE_API_KEY,',
    `  baseUrl: '${LOCAL}',`,
    '});',
    `const answer = await ${isOwners ? 'ownerOf(client)' : 'client'}.${area}.${id}(${argument});`,
    'console.log(answer);',
  ].join('\n');
}

function literal(value: Json, indent = ''): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object' || value === null) return String(value);
  const deeper = `${indent}  `;
  const entries = Array.isArray(value)
    ? value.map((item) => literal(item, deeper))
    : Object.entries(value).map(([key, item]) => `${name(key)}: ${literal(item, deeper)}`);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  if (entries.length === 0) return `${open}${close}`;
  return `${open}\n${entries.map((entry) => `${deeper}${entry},\n`).join('')}${indent}${close}`;
}

function quoted(text: string): string {
  const json = JSON.stringify(text);
  return text.includes("'") ? json : `'${json.slice(1, -1).replaceAll('\\"', '"')}'`;
}

function name(key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : quoted(key);
}

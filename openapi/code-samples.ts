import { LOCAL } from './info.ts';
import type { Json, JsonObject } from './json.ts';
import type { Operation } from './walk.ts';

/** The request of an operation as a reader would write it: with curl and with the SDK. */
export function codeSamples(operation: Operation, body: Json | undefined): JsonObject[] {
  return [
    { lang: 'Shell', label: 'curl', source: curl(operation, body) },
    { lang: 'TypeScript', label: 'SDK', source: sdk(operation, body) },
  ];
}

function curl({ method, path }: Operation, body: Json | undefined): string {
  const lines = [`curl ${LOCAL}${path}`, '--header "X-API-KEY: $NAMEPLATE_API_KEY"'];
  if (method !== 'GET') lines.splice(1, 0, `--request ${method}`);
  if (body !== undefined)
    lines.push(
      "--header 'Content-Type: application/json'",
      `--data '${JSON.stringify(body).replaceAll("'", String.raw`'\''`)}'`,
    );
  return lines.join(' \\\n  ');
}

function sdk({ area, id }: Operation, body: Json | undefined): string {
  return [
    "import { Nameplate } from '@nameplate/client';",
    '',
    'const client = new Nameplate({',
    '  apiKey: process.env.NAMEPLATE_API_KEY,',
    `  baseUrl: '${LOCAL}',`,
    '});',
    `const answer = await client.${area}.${id}(${body === undefined ? '' : literal(body)});`,
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

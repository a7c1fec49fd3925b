import type { Json, JsonObject } from './json.ts';

/** The request of an operation as a reader would write it: with curl and with the SDK. */
export function codeSamples(
  area: string,
  operationId: string,
  method: string,
  path: string,
  body: Json | undefined,
): JsonObject[] {
  return [
    { lang: 'Shell', label: 'curl', source: curl(method, path, body) },
    { lang: 'TypeScript', label: 'SDK', source: sdk(area, operationId, body) },
  ];
}

function curl(method: string, path: string, body: Json | undefined): string {
  const lines = [`curl http://127.0.0.1:3000${path}`, '--header "X-API-KEY: $NAMEPLATE_API_KEY"'];
  if (method !== 'GET') lines.splice(1, 0, `--request ${method}`);
  if (body !== undefined)
    lines.push(
      "--header 'Content-Type: application/json'",
      `--data '${JSON.stringify(body).replaceAll("'", String.raw`'\''`)}'`,
    );
  return lines.join(' \\\n  ');
}

function sdk(area: string, operationId: string, body: Json | undefined): string {
  return [
    "import { Nameplate } from '@nameplate/client';",
    '',
    'const client = new Nameplate({ apiKey: process.env.NAMEPLATE_API_KEY });',
    `const answer = await client.${area}.${operationId}(${body === undefined ? '' : literal(body)});`,
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

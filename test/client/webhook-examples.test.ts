import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { eventually } from '../support/eventually.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const entry = `${root}client/src/webhooks.ts`;
const page = readFileSync(`${root}docs/webhooks.md`, 'utf8');
const examples = [...page.matchAll(/^## ([^\n]+)\n\n```ts\n(.*?)^```$/gms)].map(
  ([, title = '', code = '']) => ({ title, code, file: `${title.replace(/ /g, '-')}.ts` }),
);

const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
const BODY = '{"type":"test","timestamp":"2026-01-31T09:30:00.000Z","data":{}}';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'webhook-examples-'));
  symlinkSync(`${root}node_modules`, join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  for (const { file, code } of examples) writeFileSync(join(folder, file), code);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Starts a program that listens, or calls the `fetch` that it exports. */
async function startExample(code: string, file: string) {
  const program = join(folder, `run-${file}`);
  const runnable = code.replace("'@nameplate/client/webhooks'", JSON.stringify(entry));
  if (!code.includes('listen(')) {
    writeFileSync(program, runnable);
    const { default: app } = (await import(program)) as {
      default: { fetch: (request: Request, env: object) => Promise<Response> };
    };
    return (init: RequestInit) =>
      app.fetch(new Request('http://localhost/nameplate', init), { WEBHOOK_SECRET: SECRET });
  }
  // A free port is found by the program itself; it prints the port.
  writeFileSync(
    program,
    `import { Server } from 'node:net';
    const listen = Server.prototype.listen;
    Server.prototype.listen = function () {
      return listen.call(this, 0, '127.0.0.1', () => console.log('port', this.address().port));
    };
    ${runnable}`,
  );
  const server = spawn(process.execPath, [program], {
    env: { ...process.env, WEBHOOK_SECRET: SECRET },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void server.kill());
  let output = '';
  server.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [, port] = await eventually(
    () => /port (\d+)/.exec(output) ?? [],
    ({ length }) => length > 0,
  );
  return (init: RequestInit) => fetch(`http://127.0.0.1:${port}/nameplate`, init);
}

it('the documentation of webhooks has an example for each framework, which compiles', () => {
  expect(examples.map(({ title }) => title)).toEqual([
    'Fastify',
    'Express',
    'Hono on Cloudflare Workers',
  ]);
  const compilerOptions = {
    paths: { '@nameplate/client/webhooks': [entry] },
    typeRoots: [`${root}node_modules/@types`],
    noPropertyAccessFromIndexSignature: false,
  };
  const options = { extends: `${root}tsconfig.json`, compilerOptions, include: [folder] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(options));
  expect(() =>
    execFileSync(`${root}node_modules/.bin/tsc`, ['-p', folder], { encoding: 'utf8' }),
  ).not.toThrow();
});

it('the delivery of the documentation has a true signature', () => {
  const [, head = '', body = ''] = /```http\n(.*?)\n\n(.*?)\n```/s.exec(page)!;
  const headers = new Headers(
    head
      .split('\n')
      .slice(1)
      .map((line) => line.split(': ') as [string, string]),
  );
  const [secret = ''] = /whsec_[\w+/]+=/.exec(page)!;
  const at = new Date(Number(headers.get('webhook-timestamp')) * 1_000);
  expect(new Webhook(secret).sign(headers.get('webhook-id')!, at, body)).toBe(
    headers.get('webhook-signature'),
  );
});

it.each(examples)('$title accepts a signed delivery only', async ({ code, file }) => {
  const deliver = await startExample(code, file);
  const at = new Date();
  const headers = {
    'content-type': 'application/json',
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(SECRET).sign('msg_1', at, BODY),
  };
  const statuses = [BODY, `${BODY} `].map(async (body) => {
    const { status } = await deliver({ method: 'POST', headers, body });
    return status;
  });
  expect(await Promise.all(statuses)).toEqual([204, 400]);
});

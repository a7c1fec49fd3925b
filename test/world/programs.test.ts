import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { createServer, request as sendRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { json } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { Nameplate } from '#client/index.ts';
import { ownerOf } from '#client/owner.ts';
import { signWebhook } from '#client/webhooks.ts';
import { insertProject } from '#db/queries/projects.ts';
import { deliveryJob } from '#server/features/connections/delivery-job.ts';
import { openSignedIn, startListeningApp } from '../browser/support/listening-app.ts';
import { childEnvironment } from '../support/child-environment.ts';
import { createOperator } from '../support/endpoints.ts';
import { eventually } from '../support/eventually.ts';
import { listen } from '../support/listen.ts';
import { runJobs } from '../support/run-jobs.ts';
import {
  createTempFolder,
  startServer,
  startServerWithAccount,
} from '../support/server-process.ts';
import { startTestApp } from '../support/test-app.ts';

const PYTHON = '/usr/bin/python3';
const PROGRAMS = {
  Python: (name: string) => [PYTHON, example(`${name}.py`)],
  Go: (name: string) => ['go', 'run', example(`${name}.go`)],
  TypeScript: (name: string) => [process.execPath, example(`${name}.ts`)],
};
const LANGUAGES = Object.keys(PROGRAMS) as (keyof typeof PROGRAMS)[];
const RECEIVERS = ['Python', 'Go'] as const;
const example = (file: string) =>
  fileURLToPath(new URL(`../../docs/examples/${file}`, import.meta.url));

/** Starts a program, which is killed after the test with the programs that it started. */
function startProgram([program = '', ...args]: string[], settings: Record<string, string>) {
  // For the cache of Go.
  const { HOME = tmpdir() } = process.env;
  const env = childEnvironment({ HOME, ...settings });
  // `go run` starts another program, so both get a process group.
  const child: ChildProcess = spawn(program, args, { env, detached: true });
  const exited = once(child, 'close');
  let output = '';
  for (const stream of [child.stdout!, child.stderr!])
    stream.on('data', (chunk) => (output += String(chunk)));
  onTestFinished(() => {
    try {
      process.kill(-child.pid!, 'SIGKILL');
    } catch {
      // It has ended.
    }
  });
  return { output: () => output, exited };
}

async function findFreePort(): Promise<string> {
  const server = await listen(createServer());
  await server.close();
  return new URL(server.url).port;
}

/** Forwards requests to the server, and loses the first response. */
async function startLossyProxy(serverUrl: string): Promise<string> {
  let count = 0;
  const proxy = await listen(
    createServer((request, response) => {
      const { method, headers, url } = request;
      const forwarded = sendRequest(serverUrl + url, { method, headers }, (received) => {
        count += 1;
        if (count === 1) response.destroy();
        else received.pipe(response.writeHead(received.statusCode!, received.headers));
      });
      request.pipe(forwarded.on('error', () => response.destroy()));
    }),
  );
  onTestFinished(proxy.close);
  return proxy.url;
}

const EVENT = '{"type":"test","timestamp":"2026-01-31T09:30:00.000Z","data":{}}';

it.each(RECEIVERS)('the webhook receiver in %s accepts what the server signs', async (language) => {
  const WEBHOOK_PORT = await findFreePort();
  const url = `http://127.0.0.1:${WEBHOOK_PORT}/nameplate`;
  const server = await startTestApp({ CONNECTION_PRIVATE_ORIGINS: [new URL(url).origin] });
  onTestFinished(server.close);
  const { connections } = (await server.createAccount()).owner;
  const { connection, secret } = await connections.createConnection({
    ...{ kind: 'webhook', name: language, url, event_types: [] },
  });
  const program = startProgram(PROGRAMS[language]('webhook'), {
    WEBHOOK_PORT,
    WEBHOOK_SECRET: secret!,
  });
  const post = async (body: string, headers: Record<string, string>) =>
    (await fetch(url, { method: 'POST', body, headers })).status;
  await eventually(
    () => post(EVENT, {}).catch(program.output),
    (status) => status === 400,
  );
  const request = { connection_id: connection.id };
  for (const sendTest of [1, 2]) {
    const { delivery } = await connections.sendTestEvent(request);
    expect(delivery, program.output()).toMatchObject({ response_status: 204 });
    expect(program.output()).toContain(`${delivery.id} test`);
    // The second test is signed with a new secret, too.
    if (sendTest === 1) await connections.createSecret(request);
  }
  const seconds = (count: number) => ({ at: new Date(Date.now() + count * 1_000) });
  const sign = (age: number) => signWebhook(EVENT, secret!, seconds(age));
  expect(await post(EVENT, await sign(-250))).toBe(204);
  for (const [body, headers] of [
    [`${EVENT} `, await sign(0)],
    [EVENT, await sign(-310)],
    [EVENT, await sign(310)],
    [EVENT, { ...(await sign(0)), 'webhook-id': 'other' }],
    [EVENT, { ...(await sign(0)), 'webhook-timestamp': '1'.repeat(5_000) }],
    [EVENT, { ...(await sign(0)), 'webhook-signature': 'v1,\u00e4 v1a,x' }],
  ] as const)
    expect(await post(body, headers)).toBe(400);
});

it('the Python program of docs/api.md changes one block of a page', async () => {
  const { url, key } = await startServerWithAccount({ PORT: await findFreePort() });
  const { site } = new Nameplate({ apiKey: key, baseUrl: url });
  const divider = { type: 'divider', id: randomUUID(), enabled: true } as const;
  await site.updateSiteConfiguration({ blocks: [divider, { type: 'text', content: 'Hello!' }] });
  const text = await readFile(new URL('../../docs/api.md', import.meta.url), 'utf8');
  const [, source = ''] = /^```py\n([^]*?)^```$/m.exec(text) ?? [];
  const program = startProgram([PYTHON, '-c', source.replaceAll('http://127.0.0.1:3000', url)], {
    NAMEPLATE_API_KEY: key,
  });
  await program.exited;
  expect(program.output()).toBe('2\n');
  const { blocks } = await site.getSiteConfiguration();
  expect(blocks).toMatchObject([divider, { type: 'text', content: 'Hello again!' }]);
});

it.each(LANGUAGES)(
  'the metrics of the program in %s are stored once each, although a response is lost and the server is killed',
  async (language) => {
    const PORT = await findFreePort();
    const { server, url, db, id, key, DATABASE_URL } = await startServerWithAccount({
      PORT,
    });
    const project = await insertProject(db, id, 'Machines');
    const { keys } = ownerOf(new Nameplate({ apiKey: key, baseUrl: url }));
    const { api_key } = await keys.createKey({ scope: 'metrics', project_id: project.id });
    const settings = {
      ...{ NAMEPLATE_BASE_URL: await startLossyProxy(url) },
      ...{ NAMEPLATE_API_KEY: api_key!, PROJECT: project.id },
    };
    const program = startProgram(PROGRAMS[language]('metrics'), settings);
    const numbers = async () => {
      const { rows } = await sql<{ number: number }>`
        SELECT (payload->>'number')::integer AS number FROM metrics
        WHERE project_id = ${project.id} ORDER BY 1`.execute(db);
      return rows.map(({ number }) => number);
    };
    const waitFor = (count: number) => eventually(numbers, ({ length }) => length >= count);
    await waitFor(2);
    server.signal('SIGKILL');
    await server.exited;
    const before = (await numbers()).length;
    await startServer({ DATABASE_URL, PORT });
    const stored = await waitFor(before + 3);
    expect(stored, program.output()).toEqual(stored.map((_, index) => index));
    expect(program.output()).toContain('Stored');
  },
);

it.each(LANGUAGES)(
  'the metrics program in %s waits as long as the server says, but not longer than two minutes',
  async (language) => {
    const times: number[] = [];
    const server = await listen(
      createServer((request, response) => {
        request.resume();
        times.push(Date.now());
        const [status, code, seconds] =
          times.length === 1 ? [500, 'internalError', '3'] : [429, 'metricLimitReached', '118'];
        const headers = { 'Retry-After': seconds, 'X-Error-Code': code, 'X-Request-Id': 'the-id' };
        response.writeHead(status, headers).end('{"error":"No."}');
      }),
    );
    onTestFinished(server.close);
    const settings = { NAMEPLATE_BASE_URL: server.url, NAMEPLATE_API_KEY: 'np_x.y', PROJECT: 'x' };
    const program = startProgram(PROGRAMS[language]('metrics'), settings);
    await eventually(program.output, (text) => text.includes('too long'), 50_000);
    expect(times).toHaveLength(2);
    expect(times[1]! - times[0]!).toBeGreaterThan(2_900);
    expect(program.output()).toContain('again in 3 s: 500 internalError: {"error":"No."}');
    expect(program.output()).toMatch(
      /429 metricLimitReached: \{"error":"No\."\}, request the-id\. Gave up: waiting 121 s/,
    );
  },
);

it.each(['metrics', 'webhook'])('%s.py says which variable is not set', async (name) => {
  const program = startProgram([PYTHON, example(`${name}.py`)], { NAMEPLATE_API_KEY: 'np_x.y' });
  await eventually(program.output, (text) => text.length > 0);
  expect(program.output()).toMatch(/^(PROJECT|WEBHOOK_SECRET) is not set\.\n$/);
});

/** In a folder like that of docs/mcp.md, in which modules are not the default. */
async function connectProgram(answer: 'Allow' | 'Cancel') {
  const server = await startListeningApp(onTestFinished);
  const account = await server.createNamedAccount('mira');
  const page = await openSignedIn(server, account.id);
  const folder = await createTempFolder();
  await symlink(
    fileURLToPath(new URL('../../node_modules', import.meta.url)),
    `${folder}/node_modules`,
  );
  await writeFile(`${folder}/package.json`, '{ "type": "commonjs" }');
  // The server puts its own address into it.
  const file = await fetch(`${server.origin}/docs/examples/mcp.mjs`);
  await writeFile(`${folder}/mcp.mjs`, await file.text());
  const settings = { CALLBACK_PORT: await findFreePort() };
  const program = startProgram([process.execPath, `${folder}/mcp.mjs`], settings);
  const question = await eventually(program.output, (text) => text.includes('Open '));
  await page.goto(/Open (\S+)/.exec(question)![1]!);
  await page.getByRole('button', { name: answer }).click();
  await page.getByText('You can close this page.').waitFor();
  return { ...program, shown: await page.textContent('body') };
}

it('the program for /mcp says that the person pressed Cancel', async () => {
  const { shown, output, exited } = await connectProgram('Cancel');
  expect(shown).toBe('Not connected. You can close this page.');
  expect(await exited).toEqual([1, null]);
  expect(output()).toContain('Not connected. The person declined.\n');
});

it('the program for /mcp connects after a question, and reads the page', async () => {
  const program = await connectProgram('Allow');
  const output = await eventually(program.output, (text) => text.trimEnd().endsWith('}'));
  expect(output).toContain('page_getPageVersion');
  expect(output).toMatch(/version: \d/);
  expect(output).not.toContain('[mcp-sdk]');
});

it('Apprise sends what a connection gives it to its services', async () => {
  const PORT = await findFreePort();
  const url = `http://127.0.0.1:${PORT}/notify`;
  const received: unknown[] = [];
  const service = await listen(
    createServer((request, response) => {
      void json(request).then((body) => received.push(body) && response.end());
    }),
  );
  onTestFinished(service.close);
  const server = await startTestApp({ CONNECTION_PRIVATE_ORIGINS: [new URL(url).origin] });
  onTestFinished(server.close);
  const program = startProgram(['/usr/bin/python3', `${import.meta.dirname}/apprise_server.py`], {
    PORT,
  });
  await eventually(
    () => fetch(url).catch(program.output),
    (result) => typeof result === 'object',
  );
  const account = await createOperator(server);
  const { connections, keys } = account.owner;
  const { connection } = await connections.createConnection({
    ...{ kind: 'apprise', name: 'Apprise', url, event_types: ['key_created'] },
    token: service.url.replace('http:', 'json:'),
  });
  await keys.createKey({ label: '<b>@all</b> & *ä*' });
  await runJobs(server.database, deliveryJob, server.nameplate);
  await server.nameplate.connections.settled();
  const { deliveries } = await connections.listDeliveries({ connection_id: connection.id });
  expect(deliveries, program.output()).toMatchObject([{ status: 'delivered' }]);
  expect(received).toMatchObject([
    { message: expect.stringContaining('“<b>@all</b> & *ä*”'), type: 'info' },
  ]);
});

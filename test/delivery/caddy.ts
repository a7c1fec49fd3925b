import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../support/eventually.ts';
import { findFreePort } from '../support/postgres-server.ts';
import { type SendRequest, createTlsClient } from './tls-client.ts';

const NAME = 'nameplate.example';

/** A Caddy on loopback that issues its own certificates. */
export interface Caddy {
  /** Port for plain HTTP. */
  plain: number;
  /** Sends a request over TLS, verified with Caddy's own CA. */
  ask: SendRequest;
  logged: () => string;
  /** Names of the stored certificate files. */
  certificates: () => Promise<string>;
  stop: () => Promise<void>;
}

/** Starts Caddy in front of a server, with the shipped configuration. */
export async function startCaddy(server: string): Promise<Caddy> {
  const folder = await mkdtemp(join(tmpdir(), 'nameplate-caddy-'));
  const [plain, secure] = [await findFreePort(), await findFreePort()];
  const delivered = await readFile('docs/caddy/Caddyfile', 'utf8');
  if (!delivered.includes('127.0.0.1:3000')) throw new Error('the file names no server');
  const site = delivered.replaceAll('127.0.0.1:3000', new URL(server).host).replace(
    /^\{$/m,
    `{
        admin off
        local_certs
        skip_install_trust
        default_bind 127.0.0.1
        http_port ${plain}
        https_port ${secure}
        storage file_system ${folder}
        servers {
          # The free port is free for TCP, and HTTP/3 would take UDP.
          protocols h1 h2
        }`,
  );
  const file = join(folder, 'Caddyfile');
  await writeFile(file, site);
  const child = spawn('/usr/bin/caddy', ['run', '--adapter', 'caddyfile', '--config', file], {
    env: { HOME: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let logged = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    logged += text;
  });
  const ended = once(child, 'exit');
  const root = join(folder, 'pki/authorities/local/root.crt');
  const ask = createTlsClient({ port: secure, name: NAME }, () => readFileSync(root, 'utf8'));
  await eventually(async () => {
    if (child.exitCode !== null) throw new Error(logged);
    await ask('/healthz');
  });
  return {
    plain,
    ask,
    logged: () => logged,
    certificates: async () => (await readdir(join(folder, 'certificates/local'))).join(' '),
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}

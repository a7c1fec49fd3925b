import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../support/eventually.ts';
import { findFreePort } from '../support/postgres-server.ts';
import { type SendRequest, createTlsClient } from './tls-client.ts';

const HOST_NAME = 'nameplate.example';

/** Caddy on loopback. It issues its own certificates. */
export interface Caddy {
  httpPort: number;
  /** Sends a request over TLS, verified with Caddy's own CA. */
  request: SendRequest;
  readLog: () => string;
  /** Lists the domains with a certificate, separated by spaces. */
  certificates: () => Promise<string>;
  stop: () => Promise<void>;
}

export async function startCaddy(serverUrl: string): Promise<Caddy> {
  const folder = await mkdtemp(join(tmpdir(), 'nameplate-caddy-'));
  const [httpPort, httpsPort] = [await findFreePort(), await findFreePort()];
  const documentedConfig = await readFile('deploy/caddy/Caddyfile', 'utf8');
  if (!documentedConfig.includes('127.0.0.1:3000'))
    throw new Error('the Caddyfile does not contain 127.0.0.1:3000');
  const config = documentedConfig.replaceAll('127.0.0.1:3000', new URL(serverUrl).host).replace(
    /^\{$/m,
    `{
        admin off
        local_certs
        skip_install_trust
        default_bind 127.0.0.1
        http_port ${httpPort}
        https_port ${httpsPort}
        storage file_system ${folder}
        servers {
          # The port was only checked for TCP, so HTTP/3 (UDP) is off.
          protocols h1 h2
        }`,
  );
  const file = join(folder, 'Caddyfile');
  await writeFile(file, config);
  const child = spawn('/usr/bin/caddy', ['run', '--adapter', 'caddyfile', '--config', file], {
    env: { HOME: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text;
  });
  const exited = once(child, 'exit');
  const rootCertificateFile = join(folder, 'pki/authorities/local/root.crt');
  const request = createTlsClient({ port: httpsPort, name: HOST_NAME }, () =>
    readFileSync(rootCertificateFile, 'utf8'),
  );
  await eventually(async () => {
    if (child.exitCode !== null) throw new Error(log);
    await request('/healthz');
  });
  return {
    httpPort,
    request,
    readLog: () => log,
    certificates: async () => (await readdir(join(folder, 'certificates/local'))).join(' '),
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
      await rm(folder, { recursive: true });
    },
  };
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { eventually } from '../support/eventually.ts';
import { findFreePort } from '../support/postgres-server.ts';
import { type SendRequest, createTlsClient } from './tls-client.ts';

const NAME = 'nameplate.example';
/** Host name for pages on a separate host. */
export const PAGES_HOST = 'pages.example.net';

/** An nginx on loopback. */
export interface Nginx {
  /** URL for plain HTTP. */
  plain: string;
  /** Sends a request over TLS and verifies the certificate. `servername` is the requested host. */
  ask: SendRequest;
  logged: () => Promise<string>;
  stop: () => Promise<void>;
}

/** Starts nginx in front of a server, with the shipped configuration as changed by `change`. */
export async function startNginx(
  server: string,
  change: (site: string) => string = (site) => site,
): Promise<Nginx> {
  const folder = await mkdtemp(join(tmpdir(), 'nameplate-nginx-'));
  const [plain, secure] = [await findFreePort(), await findFreePort()];
  const { cert, private: key } = await generate([{ name: 'commonName', value: NAME }], {
    extensions: [
      {
        name: 'subjectAltName',
        altNames: [NAME, PAGES_HOST].map((value) => ({ type: 2, value })),
      },
    ],
  });
  await writeFile(join(folder, `${NAME}.pem`), cert);
  await writeFile(join(folder, `${NAME}.key`), key, { mode: 0o600 });
  const delivered = await readFile('docs/nginx/nameplate.conf', 'utf8');
  const changes: [string, string][] = [
    ['server 127.0.0.1:3000', `server ${new URL(server).host}`],
    ['listen 80', `listen 127.0.0.1:${plain}`],
    ['listen 443', `listen 127.0.0.1:${secure}`],
    ['/etc/nginx/tls', folder],
    ['/var/log/nginx', folder],
  ];
  const site = changes.reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`the file has no ${from}`);
    return text.replaceAll(from, to);
  }, delivered);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (of) => `${of}_temp_path ${folder}/${of};`,
  );
  const main = join(folder, 'nginx.conf');
  await writeFile(
    main,
    `daemon off; master_process off; pid ${folder}/pid; error_log stderr warn; events {}
     http { access_log off; ${temporary.join(' ')} ${change(site)} }`,
  );
  const child = spawn('/usr/sbin/nginx', ['-c', main], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const ended = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
    await rm(folder, { recursive: true });
  };
  const ask = createTlsClient({ port: secure, name: NAME }, () => cert);
  await eventually(async () => {
    if (child.exitCode !== null) throw new Error(said);
    await ask('/healthz');
  });
  return {
    plain: `http://127.0.0.1:${plain}`,
    ask,
    logged: () => readFile(join(folder, 'nameplate.log'), 'utf8'),
    stop,
  };
}

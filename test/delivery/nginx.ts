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
export const PAGES_HOST = 'pages.example.net';

export interface Nginx {
  httpUrl: string;
  /** Sends a request over TLS and verifies the certificate. `servername` is the requested host. */
  request: SendRequest;
  /** The access log and the error log. */
  readLog: () => Promise<string>;
  stop: () => Promise<void>;
}

/** Starts nginx in front of a server. `editSite` can change the documented configuration. */
export async function startNginx(
  serverUrl: string,
  editSite: (site: string) => string = (site) => site,
): Promise<Nginx> {
  const folder = await mkdtemp(join(tmpdir(), 'nameplate-nginx-'));
  const [httpPort, httpsPort] = [await findFreePort(), await findFreePort()];
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
  const documented = await readFile('deploy/nginx/nameplate.conf', 'utf8');
  const replacements: [string, string][] = [
    ['server 127.0.0.1:3000', `server ${new URL(serverUrl).host}`],
    ['listen 80', `listen 127.0.0.1:${httpPort}`],
    ['listen 443', `listen 127.0.0.1:${httpsPort}`],
    ['listen [::]:80', `listen [::1]:${httpPort}`],
    ['listen [::]:443', `listen [::1]:${httpsPort}`],
    ['/etc/nginx/tls', folder],
    ['/var/log/nginx', folder],
  ];
  const site = replacements.reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`nameplate.conf does not contain ${from}`);
    return text.replaceAll(from, to);
  }, documented);
  const tempPaths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  const main = join(folder, 'nginx.conf');
  await writeFile(
    main,
    `daemon off; master_process off; pid ${folder}/pid; error_log stderr warn; events {}
     http { access_log off; ${tempPaths.join(' ')} ${editSite(site)} }`,
  );
  const child = spawn('/usr/sbin/nginx', ['-c', main], { stdio: ['ignore', 'ignore', 'pipe'] });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const exited = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGTERM');
    await exited;
    await rm(folder, { recursive: true });
  };
  const request = createTlsClient({ port: httpsPort, name: NAME }, () => cert);
  await eventually(async () => {
    if (child.exitCode !== null) throw new Error(stderr);
    await request('/healthz');
  });
  return {
    httpUrl: `http://127.0.0.1:${httpPort}`,
    request,
    readLog: async () => (await readFile(join(folder, 'nameplate.log'), 'utf8')) + stderr,
    stop,
  };
}

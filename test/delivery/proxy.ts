import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:http2';
import { request, type RequestOptions } from 'node:https';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { eventually } from '../support/eventually.ts';
import { findFreePort } from '../support/postgres-server.ts';
import { createTempFolder, type RegisterCleanUp } from '../support/server-process.ts';

export const HOST = 'nameplate.example';
export const PAGES_HOST = 'pages.example.net';

/** A client that is not local from the proxy's point of view. */
export const REMOTE_CLIENT = { localAddress: '127.0.0.2' };

/** Sends a request over TLS, and verifies the certificate. `servername` is the requested host. */
type SendRequest = (
  path: string,
  options?: RequestOptions,
  body?: string,
) => Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; text: string }>;

export interface Proxy {
  httpPort: number;
  request: SendRequest;
  /** A visitor requests all paths at once over an HTTP/2 connection. Resolves to the statuses. */
  visit: (paths: readonly string[], localAddress?: string) => Promise<number[]>;
  /** The access log and the error log. */
  readLog: () => string;
  /** Lists Caddy's domains with a certificate, separated by spaces. */
  certificates: () => Promise<string>;
}

/** Reads a configuration file, and replaces each of the texts, which must be in it. */
async function readConfig(file: string, replacements: [string, string][]): Promise<string> {
  return replacements.reduce(
    (text, [from, to]) => {
      if (!text.includes(from)) throw new Error(`${file} does not contain ${from}`);
      return text.replaceAll(from, to);
    },
    await readFile(file, 'utf8'),
  );
}

/** Runs a proxy on loopback until the tests have finished. */
async function runProxy(
  [program, ...args]: [string, ...string[]],
  onFinished: RegisterCleanUp,
  folder: string,
  ports: { http: number; https: number },
  readCertificate: () => string,
): Promise<Proxy> {
  const child = spawn(program, args, {
    env: { HOME: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const exited = once(child, 'exit');
  onFinished(async () => {
    child.kill('SIGTERM');
    await exited;
  });
  const send: SendRequest = async (path, options = {}, body) => {
    const sent = request({
      ...{ host: '127.0.0.1', port: ports.https, path, ca: readCertificate() },
      ...{ servername: HOST, agent: false, ...options },
      headers: { host: options.servername ?? HOST, ...(options.headers as object) },
    });
    sent.end(body);
    const [response] = await once(sent, 'response');
    let text = '';
    for await (const chunk of response.setEncoding('utf8')) text += chunk;
    return { status: response.statusCode, headers: response.headers, text };
  };
  const visit = async (paths: readonly string[], localAddress = '127.0.0.3') => {
    const options = { ca: readCertificate(), servername: HOST, localAddress };
    const session = connect(`https://127.0.0.1:${ports.https}`, options);
    // Streams beyond the limit of the server wait only once it is known.
    await once(session, 'remoteSettings');
    const statuses = await Promise.all(
      paths.map(async (path) => {
        const stream = session.request({ ':path': path, ':authority': HOST }).resume();
        const [headers] = await once(stream, 'response');
        if (!stream.readableEnded) await once(stream, 'end');
        return Number(headers[':status']);
      }),
    );
    session.close();
    return statuses;
  };
  await eventually(async () => {
    if (child.exitCode !== null) throw new Error(stderr);
    await send('/healthz');
  });
  return {
    httpPort: ports.http,
    request: send,
    visit,
    readLog: () => stderr,
    certificates: async () => (await readdir(join(folder, 'certificates/local'))).join(' '),
  };
}

/** Starts Caddy, which issues its own certificates, with the documented configuration. */
export async function startCaddy(serverUrl: string, onFinished: RegisterCleanUp): Promise<Proxy> {
  const folder = await createTempFolder(onFinished);
  const ports = { http: await findFreePort(), https: await findFreePort() };
  const config = await readConfig('deploy/caddy/Caddyfile', [
    ['127.0.0.1:3000', new URL(serverUrl).host],
    // The ports were only checked for TCP, so HTTP/3 (UDP) is off.
    [
      '\n{\n',
      `
{
  admin off
  local_certs
  skip_install_trust
  default_bind 127.0.0.1
  http_port ${ports.http}
  https_port ${ports.https}
  storage file_system ${folder}
  servers {
    protocols h1 h2
  }
`,
    ],
  ]);
  const file = join(folder, 'Caddyfile');
  await writeFile(file, config);
  const command = ['/usr/bin/caddy', 'run', '--adapter', 'caddyfile', '--config', file] as const;
  const certificate = join(folder, 'pki/authorities/local/root.crt');
  return runProxy([...command], onFinished, folder, ports, () => readFileSync(certificate, 'utf8'));
}

/** For nginx before 1.25.1, as the configuration says. */
const OLD_HTTP2: [string, string][] = [
  [' ssl;', ' ssl http2;'],
  ['  http2 on;\n', ''],
];

function isNginxOld(): boolean {
  const { stderr } = spawnSync('/usr/sbin/nginx', ['-v'], { encoding: 'utf8' });
  return /nginx\/1\.(?:1?\d|2[0-4])\./.test(stderr);
}

/** Starts nginx with the documented configuration, which `editSite` can change. */
export async function startNginx(
  serverUrl: string,
  onFinished: RegisterCleanUp,
  editSite: (site: string) => string = (site) => site,
): Promise<Proxy> {
  const folder = await createTempFolder(onFinished);
  const ports = { http: await findFreePort(), https: await findFreePort() };
  const altNames = [HOST, PAGES_HOST].map((value) => ({ type: 2 as const, value }));
  const { cert, private: key } = await generate([{ name: 'commonName', value: HOST }], {
    extensions: [{ name: 'subjectAltName', altNames }],
  });
  await writeFile(join(folder, `${HOST}.pem`), cert);
  await writeFile(join(folder, `${HOST}.key`), key, { mode: 0o600 });
  const site = await readConfig('deploy/nginx/nameplate.conf', [
    ['server 127.0.0.1:3000', `server ${new URL(serverUrl).host}`],
    ['listen 80', `listen 127.0.0.1:${ports.http}`],
    ['listen 443', `listen 127.0.0.1:${ports.https}`],
    ['listen [::]:80', `listen [::1]:${ports.http}`],
    ['listen [::]:443', `listen [::1]:${ports.https}`],
    ['/etc/nginx/tls', folder],
    ['/var/log/nginx', folder],
    ...(isNginxOld() ? OLD_HTTP2 : []),
  ]);
  const tempPaths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  const file = join(folder, 'nginx.conf');
  await writeFile(
    file,
    `daemon off; master_process off; pid ${folder}/pid; error_log stderr warn; events { worker_connections 768; }
     http { access_log off; ${tempPaths.join(' ')} ${editSite(site)} }`,
  );
  const proxy = await runProxy(
    ['/usr/sbin/nginx', '-c', file],
    onFinished,
    folder,
    ports,
    () => cert,
  );
  const { readLog } = proxy;
  return {
    ...proxy,
    readLog: () => readFileSync(join(folder, 'nameplate.log'), 'utf8') + readLog(),
  };
}

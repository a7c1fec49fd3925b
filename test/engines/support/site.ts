import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Database } from '#db/connections/handles.ts';
import { insertClient, type NewClient } from '#db/queries/oauth-clients.ts';
import { fontFile } from '#page/design/fonts.ts';
import { openForCommand } from '#server/entry/cli/open-database.ts';
import { createLoginLink } from '#server/features/sessions/login-link.ts';
import { loadConfig } from '#server/platform/settings/config.ts';
import { startMailServer } from '#test/forwarding/mail-server.ts';
import { listen } from '#test/support/listen.ts';
import { createExampleData } from '../../../tools/demo/example-data.ts';
import { startExampleServer } from '../../../tools/demo/example-server.ts';

/** Records the errors of a page in the top window, because WebKit's driver does not report them. */
const RECORDER = `{
  const record = (text) => (top.errors ??= []).push(location.pathname + ': ' + text);
  addEventListener('error', ({ message, target }) => {
    // Browsers report that they notify observers one frame later. Nothing is lost.
    if (!/^ResizeObserver loop/.test(message)) record(message ?? 'not loaded: ' + (target.src ?? target.href));
  }, true);
  addEventListener('unhandledrejection', ({ reason }) => record(reason));
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    record(violatedDirective + ' ' + blockedURI));
  console.error = (...values) => record(values.join(' '));
}`;
const RECORDER_TAG = '<head><script src="/recorder.js"></script>';
/** The size in the name of a stored picture is its size in the page. */
const PICTURE = /^\/(?:pictures\/)?(?:bowl|mugs|portrait)(?:.*-(\d+)x(\d+)\/|\.)/;

/** A server with example data behind a proxy, which adds pages, allows frames and records errors. */
export async function startSite(pages: ReadonlyMap<string, string>) {
  const mailServer = await startMailServer();
  let upstream = '';
  const proxy = await listen(
    createServer((incoming, response) => {
      const path = incoming.url!.replace(/\?.*/, '');
      const font = fontFile(path.replace('/fonts/', ''));
      const picture = PICTURE.exec(path);
      const html = pages.get(path);
      const send = (type: string, body: string | Uint8Array) =>
        response.writeHead(200, { 'content-type': type }).end(body);
      if (path === '/recorder.js') send('text/javascript', RECORDER);
      else if (font) send('font/woff2', font);
      else if (picture) send('image/svg+xml', renderPicture(picture));
      else if (html !== undefined)
        send('text/html; charset=utf-8', html.replace('<head>', RECORDER_TAG));
      else forward(incoming, response, upstream).catch(() => response.destroy());
    }),
  );
  const server = await startExampleServer({
    PORT: '0',
    PUBLIC_URL: proxy.url,
    MAIL_DOMAIN: 'club.example',
    SMTP_URL: mailServer.url,
  });
  upstream = server.origin;
  await createExampleData(server, proxy.url);
  return {
    origin: proxy.url,
    createLoginLink: (name: string) =>
      openDatabase(server.settings, async (db) => {
        const { account_id: id } = await db
          .selectFrom('display_names')
          .select('account_id')
          .where('name', '=', name)
          .executeTakeFirstOrThrow();
        return createLoginLink(db, id!, proxy.url);
      }),
    addClient: (client: NewClient) =>
      openDatabase(server.settings, (db) => insertClient(db, client)),
    close: async () => {
      await proxy.close();
      await server.close();
      await mailServer.close();
    },
  };
}

async function openDatabase<T>(
  settings: Record<string, string>,
  use: (db: Database) => Promise<T>,
): Promise<T> {
  const { db, close } = await openForCommand(loadConfig(settings));
  try {
    return await use(db);
  } finally {
    await close();
  }
}

function renderPicture([, width = '1200', height = '800']: RegExpExecArray): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"/>`;
}

async function forward(incoming: IncomingMessage, response: ServerResponse, origin: string) {
  const outgoing = request(origin + incoming.url, {
    // A kept connection may end as the next request is sent.
    agent: false,
    method: incoming.method!,
    headers: { ...incoming.headers, 'accept-encoding': 'identity' },
  });
  incoming.pipe(outgoing);
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
  const { statusCode, headers } = answer;
  const policy = String(headers['content-security-policy'] ?? '');
  // Pages without scripts forbid them.
  const isScripted = headers['content-type']?.startsWith('text/html') && /script-src/.test(policy);
  if (policy)
    headers['content-security-policy'] = policy
      .replace(/; frame-ancestors [^;]*/, '')
      .replace('script-src', "$& 'self'");
  if (isScripted) delete headers['content-length'];
  response.writeHead(statusCode!, headers);
  if (isScripted) response.end((await text(answer)).replace('<head>', RECORDER_TAG));
  else answer.pipe(response);
}

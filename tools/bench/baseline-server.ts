import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import pg from 'pg';

/**
 * A minimal server, for the upper bound on this machine: only `node:http` and `pg`. It serves the
 * same routes with one prepared statement or one transaction per request, but without keys,
 * validation, idempotency, rendering and logs.
 */
const [connectionString, defaultAccount] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString, max: 10 });

/** Size of a compressed page with 20 blocks. */
const PAGE = Buffer.alloc(3_000, 'x');

type Handler = (input: { account: string; body: any }) => Promise<unknown>;

const routes: Record<string, Handler> = {
  '/account/get-display-name': async ({ account }) =>
    queryRow('SELECT name AS display_name FROM display_names WHERE account_id = $1', [account]),

  '/site/get-site-configuration': async ({ account }) =>
    queryRow(
      `SELECT bio, avatar_url, custom_theme, theme_id, display_name, location, mood,
        (SELECT json_agg(json_build_object('id', id, 'type', type, 'enabled', enabled, 'content', content, 'url', url) ORDER BY position)
          FROM blocks WHERE account_id = sites.account_id) AS blocks
        FROM sites WHERE account_id = $1`,
      [account],
    ),

  '/stats/ingest-metrics': async ({ body: { projectId, payload } }) => {
    const values = [projectId, JSON.stringify(payload)];
    await queryRow('INSERT INTO metrics (project_id, payload) VALUES ($1, $2)', values);
    return { message: 'ok' };
  },

  '/account/update-display-name': async ({ account, body: { display_name: name } }) => {
    const client = await pool.connect();
    await client.query('BEGIN');
    const lockStatement = 'SELECT FROM forwarding_settings WHERE account_id = $1 FOR NO KEY UPDATE';
    await queryRow(lockStatement, [account], client);
    const oldRow = await queryRow(
      'SELECT name FROM display_names WHERE account_id = $1',
      [account],
      client,
    );
    await queryRow('DELETE FROM display_names WHERE name = $1', [oldRow.name], client);
    await queryRow(
      'INSERT INTO display_names (name, account_id) VALUES ($1, $2)',
      [name, account],
      client,
    );
    await queryRow(
      'UPDATE forwarding_settings SET forwarding_enabled = false, forwarding_email = NULL WHERE account_id = $1',
      [account],
      client,
    );
    await queryRow(
      `INSERT INTO events (account_id, type, outcome, detail, completed_at)
        VALUES ($1, 'display_name_updated', 'succeeded', $2, now())`,
      [account, JSON.stringify({ from: oldRow.name, to: name })],
      client,
    );
    await client.query('COMMIT');
    client.release();
    return { success: true };
  },
};

/** Runs a statement, prepared once per connection, and returns the first row. */
async function queryRow(
  text: string,
  values: unknown[],
  client: Pick<pg.ClientBase, 'query'> = pool,
): Promise<any> {
  // A name has at most 63 bytes. The statements differ at the end.
  const name = text.replaceAll(/\s+/g, '').slice(-60);
  const { rows } = await client.query({ name, text, values });
  return rows[0];
}

async function respondWithPage(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const page = await queryRow(
    'SELECT account_id FROM display_names JOIN sites USING (account_id) WHERE name = $1 AND enabled',
    [request.url?.slice(2)],
  );
  response.statusCode = page ? 200 : 404;
  response.setHeader('content-length', page ? PAGE.length : 0);
  response.end(page && PAGE);
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  text?: string,
): Promise<void> {
  const account = String(request.headers['x-account'] ?? defaultAccount);
  const value = await routes[request.url!]!({ account, body: text && JSON.parse(text) });
  const body = JSON.stringify(value);
  response.setHeader('content-type', 'application/json');
  response.setHeader('content-length', Buffer.byteLength(body));
  response.end(body);
}

const server = createServer((request, response) => {
  if (request.url?.startsWith('/@')) return void respondWithPage(request, response);
  if (request.method === 'GET') return void respond(request, response);
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => void respond(request, response, Buffer.concat(chunks).toString()));
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object') process.stderr.write(`http://127.0.0.1:${address?.port}\n`);
});
process.on('SIGTERM', () => process.exit(0));

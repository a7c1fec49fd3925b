import { createServer } from 'node:http';
import pg from 'pg';

/**
 * What the machine can do at most with `node:http` and `pg`: the same routes, one prepared statement
 * a request, and neither keys nor validation, rendering nor logs. The account and the project are given.
 */
const [connectionString, accountId] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString, max: 10 });

const statements = {
  '/account/get-display-name': {
    name: 'name',
    text: 'SELECT name AS display_name FROM display_names WHERE account_id = $1',
  },
  '/site/get-site-configuration': {
    name: 'site',
    text: `SELECT bio, avatar_url, custom_theme, theme_id, display_name, location, mood,
      (SELECT json_agg(json_build_object('id', id, 'type', type, 'enabled', enabled, 'content', content, 'url', url) ORDER BY position)
        FROM blocks WHERE account_id = sites.account_id) AS blocks
      FROM sites WHERE account_id = $1`,
  },
} as const;

/** As long as a page of ten blocks, compressed. */
const PAGE = Buffer.alloc(3_000, 'x');

const server = createServer((request, response) => {
  const answer = (value: unknown) => {
    const body = JSON.stringify(value);
    response.setHeader('content-type', 'application/json');
    response.setHeader('content-length', Buffer.byteLength(body));
    response.end(body);
  };
  if (request.url?.startsWith('/@')) {
    const page = {
      name: 'page',
      text: 'SELECT account_id FROM display_names JOIN sites USING (account_id) WHERE name = $1 AND enabled',
      values: [request.url.slice(2)],
    };
    void pool.query(page).then(({ rows }) => {
      const isKnown = request.headers['if-none-match'] !== undefined;
      response.statusCode = rows.length === 0 ? 404 : isKnown ? 304 : 200;
      response.setHeader('content-length', response.statusCode === 200 ? PAGE.length : 0);
      response.end(response.statusCode === 200 ? PAGE : undefined);
    });
    return;
  }
  if (request.method === 'GET') {
    const statement = statements[request.url as keyof typeof statements];
    void pool.query({ ...statement, values: [accountId] }).then(({ rows }) => answer(rows[0]));
    return;
  }
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { projectId, payload } = JSON.parse(Buffer.concat(chunks).toString()) as {
      projectId: string;
      payload: unknown;
    };
    void pool
      .query({
        name: 'metric',
        text: 'INSERT INTO metrics (project_id, payload) VALUES ($1, $2)',
        values: [projectId, JSON.stringify(payload)],
      })
      .then(() => answer({ message: 'ok' }));
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object') process.stderr.write(`http://127.0.0.1:${address?.port}\n`);
});
process.on('SIGTERM', () => process.exit(0));

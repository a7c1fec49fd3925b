import { expect, it } from 'vitest';
import { call } from '../support/call.ts';
import { useServer } from '../support/use-server.ts';

const { server } = useServer();

it('a CSV file is a download, and no cell can be interpreted as a formula', async () => {
  const account = await server.createAccount();
  const projectId = await server.createProject(account, '=1+1');
  for (const sign of ['=', '+', '-', '@', '\t', '\r', '\r\n=', '",=', '"\n='])
    await account.client.stats.ingestMetrics({
      projectId,
      payload: { [`${sign}1+1`]: `${sign}cmd()`, n: -1 },
    });
  const path = `/owner/metrics/export-metrics?project_id=${projectId}&format=csv`;
  const { status, headers, text } = await call(server.app, { path, key: account.key });
  expect(status).toBe(200);
  expect(headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment; filename="metrics.csv"',
    'x-content-type-options': 'nosniff',
  });
  const [header, ...lines] = text.split('\r\n');
  expect([header, lines.pop()]).toEqual(['id,received_at,payload', '']);
  expect(lines).toHaveLength(9);
  for (const line of lines) expect(line).toMatch(/^\d+,\d{4}-[\dT:.+Z-]+,"\{(?:[^"]|"")*\}"$/);
});

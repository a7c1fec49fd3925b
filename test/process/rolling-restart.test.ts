import { it } from 'vitest';
import { createPostgresDatabase } from '../support/test-database.ts';
import { restartOneByOne } from './support/rolling-restart.ts';

it('a rolling restart fails no request', async () => {
  const DATABASE_URL = await createPostgresDatabase('nameplate_template');
  await restartOneByOne(DATABASE_URL, [process.cwd(), process.cwd()]);
});

import { expect, it } from 'vitest';
import { dataFolder } from '../support/data-folder.ts';
import { fetchJson, firstOwner, startServer } from '../support/server-process.ts';
import { insertTestAccount } from '../support/test-app.ts';
import { connectPostgresDatabase, createPostgresDatabase } from '../support/test-database.ts';

/** Odd, so that a toggle too many or too few leaves the site hidden. */
const TOGGLES = 41;
const ANSWERS_BEFORE_KILL = 10;
const keys = Array.from({ length: TOGGLES }, (_, index) => `toggle-${index}`);

async function insertOwner(url: string): Promise<{ key: string }> {
  const { db, close } = connectPostgresDatabase(url);
  const owner = await insertTestAccount(db);
  await close();
  return owner;
}

it.each(['private', 'PostgreSQL'])(
  'writes that a killed server has done but not answered are not done again by their repeats (%s)',
  async (engine) => {
    const settings =
      engine === 'private'
        ? { DATA_DIR: await dataFolder() }
        : { DATABASE_URL: await createPostgresDatabase('nameplate_template') };
    const first = await startServer(settings);
    const owner =
      'DATA_DIR' in settings
        ? await firstOwner(settings.DATA_DIR)
        : await insertOwner(settings.DATABASE_URL);
    const toggle = (url: string, idempotencyKey: string) =>
      fetchJson(`${url}/site/toggle-site-visibility`, {
        key: owner.key,
        method: 'POST',
        headers: { 'idempotency-key': idempotencyKey },
      });

    let answered = 0;
    const answers = await Promise.all(
      keys.map(async (each) => {
        const answer = await toggle(first.url, each).catch(() => undefined);
        answered += 1;
        if (answered === ANSWERS_BEFORE_KILL) first.signal('SIGKILL');
        return answer;
      }),
    );
    expect(await first.exit).toBeNull();
    expect(answers).toContain(undefined);

    const second = await startServer(settings);
    const repeats = await Promise.all(keys.map((each) => toggle(second.url, each)));
    expect(repeats.map(({ status }) => status)).toEqual(keys.map(() => 200));
    for (const [index, answer] of answers.entries())
      if (answer) expect(repeats[index]).toEqual(answer);
    expect(await fetchJson(`${second.url}/site/get-site-status`, { key: owner.key })).toEqual({
      status: 200,
      body: { enabled: true },
    });
  },
);

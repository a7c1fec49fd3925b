import { expect, it, vi } from 'vitest';
import { createApp } from '#server/app.ts';
import { useServer } from '../support/use-server.ts';

const { server } = useServer();

it('a start that fails closes what it had created, and says why', async () => {
  const { config, log, db, readDb, queues, jobs, chat } = server.nameplate;
  const closeJobs = vi.fn<() => Promise<void>>().mockResolvedValue();
  const closeChat = vi.fn<() => Promise<void>>().mockResolvedValue();
  const database = { db, readDb, queues, url: server.database.url, dataDir: undefined };
  const start = createApp(
    { config, log, database },
    {
      jobs: Object.assign(Object.create(jobs) as typeof jobs, { close: closeJobs }),
      chat: { ...chat, close: closeChat },
      get signUp(): never {
        throw new Error('the list of names cannot be read');
      },
    },
  );
  await expect(start).rejects.toThrow('the list of names cannot be read');
  expect(closeChat).toHaveBeenCalledOnce();
  expect(closeJobs).toHaveBeenCalledOnce();
});

import { once } from 'node:events';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { findLockHolder, LockedError } from '../../db/lock.ts';
import type { Config } from '../service/config.ts';
import { openDatabase } from '../service/database.ts';
import { createForwarding } from '../service/forwarding/forwarding.ts';
import { reservedNames } from '../service/names/reserved-names.ts';
import { buildAdminApp } from './app.ts';
import { type AdminClient, adminClient } from './client.ts';
import { SOCKET, withShortPath } from './socket.ts';
import { throughMemory, throughSocket } from './transport.ts';

/** How long a process that starts, stops or runs another command is waited for. */
const PATIENCE_MS = 15_000;
const POLL_MS = 100;

/** The embedded database belongs to a process that does not answer. */
export class BusyError extends Error {}

/** The administration, wherever it runs, and how to let go of it. */
export interface Connection {
  admin: AdminClient;
  close: () => Promise<void>;
}

/**
 * Connects to the administration: of this process on the database itself, or of the server that has
 * the embedded database to itself. `migrated` brings the schema up to date first.
 */
export async function connect(config: Config, { migrated = true } = {}): Promise<Connection> {
  if (config.DATABASE_URL !== undefined) return connectHere(config, migrated);
  for (let waited = 0; ; waited += POLL_MS) {
    const holder = await findLockHolder(join(config.DATA_DIR, 'database.lock'));
    if (holder === undefined)
      try {
        return await connectHere(config, migrated);
      } catch (error) {
        // Another process was faster.
        if (!(error instanceof LockedError)) throw error;
      }
    else if (await answers(config.DATA_DIR))
      return {
        admin: adminClient(throughSocket(config.DATA_DIR, SOCKET)),
        close: () => Promise.resolve(),
      };
    if (waited >= PATIENCE_MS)
      throw new BusyError(
        `Process ${holder} has the data folder ${config.DATA_DIR} to itself and does not answer; it may be starting, stopping or running another command. Try again when it is done.`,
      );
    await sleep(POLL_MS);
  }
}

async function answers(dataDir: string): Promise<boolean> {
  return withShortPath(dataDir, SOCKET, async (path) => {
    const socket = createConnection(path);
    try {
      await once(socket, 'connect');
      return true;
    } catch (error) {
      // Anything else, such as a socket of another user, does not pass by itself.
      if (/^(?:ENOENT|ECONNREFUSED)$/.test((error as NodeJS.ErrnoException).code ?? ''))
        return false;
      throw error;
    } finally {
      socket.destroy();
    }
  });
}

async function connectHere(config: Config, migrated: boolean): Promise<Connection> {
  const logger = pino({ level: 'silent' });
  const database = await openDatabase(config, logger, { timeLimits: false });
  const { db, pglite } = database;
  const forwarding = createForwarding({ config, db, pglite, logger });
  const close = async () => {
    await forwarding.stop();
    await database.close();
  };
  const migrate = async () => {
    const ran = await database.migrate();
    await forwarding.open();
    return ran;
  };
  try {
    if (migrated) await migrate();
    const app = await buildAdminApp(
      {
        db,
        forwarding,
        isReserved: reservedNames(config.RESERVED_NAMES),
        quarantineDays: config.NAME_QUARANTINE_DAYS,
        forgetKeys: () => {},
        migrate,
      },
      logger,
    );
    return {
      admin: adminClient(throughMemory(app)),
      close: async () => {
        await app.close();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

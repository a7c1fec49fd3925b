import type { FastifyBaseLogger } from 'fastify';
import { buildAdminApp } from './app.ts';
import type { AdminDependencies } from './context.ts';
import { listenOnSocket } from './socket.ts';

/**
 * Lets the command line reach this process, which has the embedded database to itself. Returns how
 * to stop: what is in flight is finished, but exports are cut off. A file system without sockets is
 * no reason not to serve.
 */
export async function startAdmin(
  dependencies: AdminDependencies & { dataDir: string; logger: FastifyBaseLogger },
): Promise<{ close: () => Promise<void> }> {
  const { dataDir, logger, ...rest } = dependencies;
  const app = await buildAdminApp(rest, logger);
  try {
    return { close: await listenOnSocket(app, dataDir) };
  } catch (error) {
    logger.warn(
      { err: error },
      'the administration socket cannot be made in the data folder, so commands work only while the server is stopped',
    );
    return { close: () => app.close() };
  }
}

import { openServerDatabase } from '#server/database.ts';
import { loadConfig } from '#server/platform/settings/config.ts';

type Options = Parameters<typeof openServerDatabase>[1];

/** Opens the database like a server with these settings. By default, nothing is logged. */
export const openAsServer = (settings: Record<string, string>, options: Partial<Options> = {}) =>
  openServerDatabase(loadConfig(settings), {
    logger: { warn: () => {}, error: () => {} },
    onMessage: () => {},
    findAddress: () => undefined,
    ...options,
  });

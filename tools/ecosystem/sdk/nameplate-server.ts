import { readFileSync } from 'node:fs';
import { startExampleServer } from '../../demo/example-server.ts';

export interface RunningServer {
  url: string;
  apiKey: string;
  stop: () => Promise<void>;
}

/** Starts the server with an empty embedded database. Returns its URL and first key. */
export async function startNameplate(): Promise<RunningServer> {
  // Lifts account limits, because every runtime changes the name.
  const limits = { TRUST_ACCOUNTS: 'true' };
  const server = await startExampleServer(
    { PORT: '0', LOG_LEVEL: 'error', ...limits },
    { isForeground: true },
  );
  const text = readFileSync(`${server.settings['DATA_DIR']}/first-key`, 'utf8');
  const [apiKey = ''] = /\bnp_\w+\.\w+/.exec(text) ?? [];
  return { url: server.origin, apiKey, stop: server.close };
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface RunningServer {
  url: string;
  apiKey: string;
  stop: () => Promise<void>;
}

/** Starts the server with an empty embedded database. Returns its URL and first key. */
export async function startNameplate(root: string): Promise<RunningServer> {
  const folder = mkdtempSync(join(tmpdir(), 'nameplate-sdk-'));
  // When run as root, the database runs as another user, who must be able to traverse the folder.
  chmodSync(folder, 0o711);
  const server = spawn(process.execPath, ['server/main.ts'], {
    cwd: root,
    env: {
      ...process.env,
      PORT: '0',
      DATA_DIR: join(folder, 'data'),
      DATABASE_URL: '',
      LOG_LEVEL: 'error',
      // Lifts account limits, because every runtime changes the name.
      TRUST_ACCOUNTS: 'true',
    },
    // The server logs errors to standard output.
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  async function stop(): Promise<void> {
    if (server.exitCode === null && server.kill()) await once(server, 'exit');
    rmSync(folder, { recursive: true, force: true });
  }
  const exited = once(server, 'exit');
  let stderr = '';
  const ready = new Promise<void>((resolve) => {
    server.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
      if (stderr.includes('Ready.')) resolve();
    });
  });
  await Promise.race([ready, exited]);
  const url = /http:\/\/[\w.:]+/.exec(stderr)?.[0];
  const apiKey = /\bnp_\w+\.\w+/.exec(readFileSync(join(folder, 'data', 'first-key'), 'utf8'))?.[0];
  if (url !== undefined && apiKey !== undefined) return { url, apiKey, stop };
  await stop();
  throw new Error(`The server did not start as expected:\n${stderr}`);
}

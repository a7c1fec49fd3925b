import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A running Nameplate server with an account of its own. */
export interface RunningServer {
  url: string;
  apiKey: string;
  stop: () => Promise<void>;
}

/** Starts the server with an empty private database, and reads its address and first key. */
export async function startNameplate(root: string): Promise<RunningServer> {
  const folder = mkdtempSync(join(tmpdir(), 'nameplate-sdk-'));
  // As root its database runs as another user, who must get through.
  chmodSync(folder, 0o711);
  const server = spawn(process.execPath, ['server/main.ts'], {
    cwd: root,
    env: {
      ...process.env,
      PORT: '0',
      DATA_DIR: join(folder, 'data'),
      DATABASE_URL: '',
      LOG_LEVEL: 'error',
      // Every runtime changes the name, and a page that search engines may not list would lack a point.
      TRUST_ACCOUNTS: 'true',
    },
    // Errors inside are logged to the standard output.
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  async function stop(): Promise<void> {
    if (server.exitCode === null && server.kill()) await once(server, 'exit');
    rmSync(folder, { recursive: true, force: true });
  }
  const ended = once(server, 'exit');
  let said = '';
  const ready = new Promise<void>((resolve) => {
    server.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (said.includes('Ready.')) resolve();
    });
  });
  await Promise.race([ready, ended]);
  const url = /http:\/\/[\w.:]+/.exec(said)?.[0];
  const apiKey = /\bnp_\w+\.\w+/.exec(readFileSync(join(folder, 'data', 'first-key'), 'utf8'))?.[0];
  if (url !== undefined && apiKey !== undefined) return { url, apiKey, stop };
  await stop();
  throw new Error(`The server did not start as expected:\n${said}`);
}

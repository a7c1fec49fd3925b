import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { eventually } from '#test/support/eventually.ts';
import { findFreePort } from '#test/support/postgres-server.ts';
import { endProcess, type Engine, typingActions, WINDOW_SIZE } from './engine.ts';

const BROWSER_OPTIONS = {
  binary: '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser',
  args: ['--automation'],
};
/** Height of the toolbar above the page. */
const TOOLBAR = 38;

/** Drives WebKitGTK with W3C WebDriver on a virtual display. */
export async function startWebKit(): Promise<Engine> {
  const display = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1800x1100x24'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    detached: true,
  });
  const [number] = (await once(display.stdio[3]!, 'data')) as [Buffer];
  const port = await findFreePort();
  const driver = spawn('WebKitWebDriver', [`--port=${port}`], {
    env: { ...process.env, DISPLAY: `:${String(number).trim()}`, NO_AT_BRIDGE: '1' },
    stdio: 'ignore',
    detached: true,
  });
  const send = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      ...(body && { body: JSON.stringify(body) }),
    });
    const { value } = (await response.json()) as { value: T };
    if (!response.ok) throw new Error(`${path}: ${JSON.stringify(value)}`);
    return value;
  };
  const close = async () => {
    await endProcess(driver);
    await endProcess(display);
  };
  try {
    await eventually(
      () => send('GET', '/status').catch(() => undefined),
      (status) => status !== undefined,
    );
    const { sessionId } = await send<{ sessionId: string }>('POST', '/session', {
      capabilities: {
        alwaysMatch: { acceptInsecureCerts: true, 'webkitgtk:browserOptions': BROWSER_OPTIONS },
      },
    });
    const post = <T>(command: string, body: object) =>
      send<T>('POST', `/session/${sessionId}/${command}`, body);
    await post('timeouts', { script: 120_000 });
    const height = WINDOW_SIZE.height + TOOLBAR;
    await post('window/rect', { width: WINDOW_SIZE.width, height });
    return {
      goto: (url) => post('url', { url }),
      evaluate: async <T>(code: string) => {
        const { value, error } = await post<{ value: T; error?: string }>('execute/async', {
          script: `const done = arguments[0];
            (async () => (${code}))().then(
              (value) => done({ value }),
              (error) => done({ error: String(error) }),
            );`,
          args: [],
        });
        if (error !== undefined) throw new Error(error);
        return value;
      },
      type: (text) => post('actions', { actions: typingActions(text) }),
      // The driver leaves a browser behind whose session was not deleted.
      close: async () => {
        await send('DELETE', `/session/${sessionId}`).catch(() => {});
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

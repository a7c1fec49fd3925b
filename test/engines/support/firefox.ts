import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { endProcess, type Engine, typingActions, WINDOW_SIZE } from './engine.ts';

/** A mouse, scroll bars that take no place, as in the other engines, and only loopback. */
const PREFERENCES = `
user_pref("ui.primaryPointerCapabilities", 6);
user_pref("ui.allPointerCapabilities", 6);
user_pref("ui.useOverlayScrollbars", 1);
user_pref("widget.gtk.overlay-scrollbars.enabled", true);
user_pref("network.proxy.type", 1);
user_pref("network.proxy.socks", "127.0.0.1");
user_pref("network.proxy.socks_port", 9);
`;

/**
 * Drives Firefox with WebDriver BiDi. Playwright's driver sends a command for color schemes, which
 * this version does not know.
 */
export async function startFirefox(): Promise<Engine> {
  const profile = await mkdtemp(join(tmpdir(), 'firefox-'));
  await writeFile(join(profile, 'user.js'), PREFERENCES);
  const args = ['--headless', '--profile', profile, '--remote-debugging-port', '0'];
  const browser = spawn('firefox-esr', args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, HOME: profile },
    detached: true,
  });
  try {
    const socket = new WebSocket(`${await readSocketUrl(browser.stderr)}/session`);
    await once(socket, 'open');
    const replies = new Map<number, (reply: Reply) => void>();
    socket.addEventListener('message', ({ data }) => {
      const reply = JSON.parse(String(data)) as Reply;
      replies.get(reply.id)?.(reply);
    });
    let count = 0;
    const send = async <T>(method: string, params: object): Promise<T> => {
      const id = (count += 1);
      const reply = new Promise<Reply>((resolve) => replies.set(id, resolve));
      socket.send(JSON.stringify({ id, method, params }));
      const { error, message, result } = await reply;
      if (error) throw new Error(`${method}: ${error}: ${message}`);
      return result as T;
    };
    await send('session.new', { capabilities: { alwaysMatch: { acceptInsecureCerts: true } } });
    const tree = await send<{ contexts: { context: string }[] }>('browsingContext.getTree', {});
    const { context } = tree.contexts[0]!;
    await send('browsingContext.setViewport', { context, viewport: WINDOW_SIZE });
    return {
      goto: (url) => send('browsingContext.navigate', { context, url, wait: 'complete' }),
      evaluate: async <T>(code: string) => {
        const { result, exceptionDetails } = await send<Evaluation>('script.evaluate', {
          expression: `(async () => JSON.stringify(await (${code})) ?? 'null')()`,
          target: { context },
          awaitPromise: true,
        });
        if (exceptionDetails) throw new Error(exceptionDetails.text);
        return JSON.parse(result!.value) as T;
      },
      type: (text) => send('input.performActions', { context, actions: typingActions(text) }),
      close: () => {
        socket.close();
        return endProcess(browser);
      },
    };
  } catch (error) {
    await endProcess(browser);
    throw error;
  }
}

type Reply = { id: number; error?: string; message?: string; result?: unknown };
type Evaluation = { result?: { value: string }; exceptionDetails?: { text: string } };

async function readSocketUrl(stderr: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: stderr })) {
    const [, url] = /listening on (ws:\S+)/.exec(line) ?? [];
    if (url !== undefined) {
      stderr.resume();
      return url;
    }
  }
  throw new Error('Firefox ended before it listened.');
}

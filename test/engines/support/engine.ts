import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** A window of a browser. */
export interface Engine {
  goto: (url: string) => Promise<unknown>;
  /** Returns the JSON value that a JavaScript expression resolves to. */
  evaluate: <T>(expression: string) => Promise<T>;
  type: (text: string) => Promise<unknown>;
  close: () => Promise<unknown>;
}

export const WINDOW_SIZE = { width: 1_720, height: 1_000 };

/** Ends a process, and the processes of its group. */
export async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  process.kill(-child.pid!, 'SIGTERM');
  await exited;
}

/** W3C WebDriver input actions, which BiDi has, too. */
export function typingActions(text: string) {
  const press = (value: string) => ['keyDown', 'keyUp'].map((type) => ({ type, value }));
  return [{ type: 'key', id: 'keyboard', actions: [...text].flatMap(press) }];
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text as readText } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { serializeError } from '#server/process/logger.ts';
import { childEnvironment } from '../support/child-environment.ts';
import { spawnServer } from '../support/server-process.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Runs code that can use `logger`. `wrap` can change the command line. */
function spawnLogger(program: string, wrap = (command: string[]) => command) {
  const code = `const { createLogger } = await import('./server/process/logger.ts');
    const { logger, flush } = await createLogger('info');
    ${program}`;
  const [file, ...args] = wrap([process.execPath, '--input-type=module', '-e', code]);
  return spawn(file!, args, { cwd: ROOT, env: childEnvironment({ TERM: 'dumb' }), stdio: 'pipe' });
}

const LOG_TWO_LINES = `logger.info({ path: '/site' }, 'request');
  logger.warn({ err: new Error('broken') }, 'failed'); await flush();`;

it('the log is JSON with level names when it is not a terminal', async () => {
  const lines = (await readText(spawnLogger(LOG_TWO_LINES).stdout)).trimEnd().split('\n');
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string;
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    { level: 'info', time, path: '/site', msg: 'request' },
    { level: 'warn', time, err: expect.objectContaining({ message: 'broken' }), msg: 'failed' },
  ]);
});

it('the log is readable text on a terminal', async () => {
  const quoteForShell = (word: string) => `'${word.replaceAll("'", String.raw`'\''`)}'`;
  const child = spawnLogger(LOG_TWO_LINES, (command) => [
    'script',
    ...['-qec', command.map(quoteForShell).join(' '), '/dev/null'],
  ]);
  const output = await readText(child.stdout);
  expect(output).toMatch(/^\[\d\d:\d\d:\d\d\] INFO: request \{"path":"\/site"\}\r\n/);
  expect(output).toMatch(/^\[\d\d:\d\d:\d\d\] WARN: failed/m);
  expect(output).toContain('broken');
});

it('the last line is logged even during concurrent writes', async () => {
  const child = spawnLogger(`logger.info('first'); void flush();
    logger.info('last'); await flush(); process.exit(0);`);
  expect((await readText(child.stdout)).match(/"msg":"\w+"/g)).toEqual([
    '"msg":"first"',
    '"msg":"last"',
  ]);
});

it('an error in the log contains the first 2,000 characters of its message and thirty lines of its stack', () => {
  const error = new Error('x'.repeat(100_000));
  const frames = Array.from({ length: 500 }, (_, depth) => `    at frame${depth} (file.ts:1:1)`);
  error.stack = `Error: too deep\n${frames.join('\n')}`;
  expect(serializeError(error)).toEqual({
    type: 'Error',
    message: 'x'.repeat(2_000),
    stack: `Error: too deep\n${frames.slice(0, 29).join('\n')}`,
  });
});

it('an error in the log omits values that the database repeats, even multiline ones', () => {
  const value = Array.from({ length: 50 }, () => 'secret\n    at secret').join('\n');
  const error = Object.assign(new Error(`invalid input syntax: "${value}"`), { code: '22P02' });
  const entry = serializeError(error);
  expect(entry).toMatchObject({ message: 'SQLSTATE 22P02', code: '22P02' });
  expect(entry['stack']).toMatch(/^Error: SQLSTATE 22P02\n    at /);
  expect(JSON.stringify(entry)).not.toContain('secret');
});

it('the logger buffers 16 MiB of unread output, then logs how many lines it dropped', async () => {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.resolve('./log-writer.ts'))]);
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stderr, 'data');
  let lineCount = 0;
  for await (const text of createInterface(child.stdout)) {
    const line = JSON.parse(text) as { lines?: number };
    if (line.lines === undefined) lineCount += 1;
    else {
      expect(lineCount + line.lines).toBe(20_000);
      child.stdin.end();
    }
  }
  expect(lineCount).toBeGreaterThan(14_000);
  expect(lineCount).toBeLessThan(17_000);
});

it('a server stops when its terminal is closed', async () => {
  // Nothing listens on this port, so the server keeps logging errors.
  const server = spawnServer({ DATABASE_URL: 'postgres://127.0.0.1:1/x' });
  await server.waitFor(/./);
  server.stopReading('all');
  expect(await server.exited).toBe(1);
});

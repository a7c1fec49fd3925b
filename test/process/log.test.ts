import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { childEnvironment } from '../support/child-environment.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Runs code that can use `logger`. `wrap` can change the command line. */
function spawnLogger(program: string, wrap = (command: string[]) => command) {
  const code = `const { createLogger } = await import('./server/process/logger.ts');
    const { logger, flush } = await createLogger('info');
    ${program}`;
  const [file, ...args] = wrap([process.execPath, '--input-type=module', '-e', code]);
  return spawn(file!, args, { cwd: ROOT, env: childEnvironment({ TERM: 'dumb' }), stdio: 'pipe' });
}

async function readAll(stream: AsyncIterable<unknown>): Promise<string> {
  let text = '';
  for await (const chunk of stream) text += String(chunk);
  return text;
}

const LOG_TWO_LINES = `logger.info({ path: '/site' }, 'request');
  logger.warn({ err: new Error('broken') }, 'failed'); await flush();`;

it('the log is JSON with level names when it is not a terminal', async () => {
  const lines = (await readAll(spawnLogger(LOG_TWO_LINES).stdout)).trimEnd().split('\n');
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
  const output = await readAll(child.stdout);
  expect(output).toMatch(/^\[\d\d:\d\d:\d\d\] INFO: request \{"path":"\/site"\}\r\n/);
  expect(output).toMatch(/^\[\d\d:\d\d:\d\d\] WARN: failed/m);
  expect(output).toContain('broken');
});

it('the last line is logged even during concurrent writes', async () => {
  const child = spawnLogger(`logger.info('first'); void flush();
    logger.info('last'); await flush(); process.exit(0);`);
  expect((await readAll(child.stdout)).match(/"msg":"\w+"/g)).toEqual([
    '"msg":"first"',
    '"msg":"last"',
  ]);
});

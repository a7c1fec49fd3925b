import { createLogger } from '#server/process/logger.ts';

/** Logs far more than a pipe holds, says so, and stays until its standard input ends. */
const { logger } = await createLogger('info');
for (let line = 0; line < 20_000; line += 1) logger.info({ text: 'x'.repeat(1_000) });
process.stderr.write('logged');
process.stdin.resume();

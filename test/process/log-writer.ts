import { createLogger } from '#server/process/logger.ts';

// Logs far more than a pipe buffers, prints `logged` to stderr, and runs until stdin ends.
const { logger } = await createLogger('info');
for (let line = 0; line < 20_000; line += 1) logger.info({ text: 'x'.repeat(1_000) });
process.stderr.write('logged');
process.stdin.resume();

import { runCommandLine } from './program.ts';

// Whoever reads the output may stop reading.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

process.exitCode = await runCommandLine(process.argv.slice(2));

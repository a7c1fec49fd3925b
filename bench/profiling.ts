import { rename, writeFile } from 'node:fs/promises';
import { Session } from 'node:inspector/promises';

/**
 * Loaded into the service: a SIGUSR2 begins a profile of its processor time, and the next one ends it
 * and writes it to the file that PROFILE names.
 */
const file = process.env['PROFILE']!;
const session = new Session();
session.connect();
await session.post('Profiler.enable');
let runs = false;

process.on('SIGUSR2', () => void (runs ? end() : begin()));

async function begin(): Promise<void> {
  runs = true;
  await session.post('Profiler.start');
}

async function end(): Promise<void> {
  runs = false;
  const { profile } = await session.post('Profiler.stop');
  // Whoever waits for it finds the whole.
  await writeFile(`${file}.part`, JSON.stringify(profile));
  await rename(`${file}.part`, file);
}

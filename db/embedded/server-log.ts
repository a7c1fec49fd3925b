import { open, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import type { DataFolder } from './data-folder.ts';

export const LOG_FILE = 'postgresql.log';

const POLL_MS = 1_000;
const MAX_BYTES = 1_048_576;
/** `SQLSTATE|SEVERITY:  message`. There is no SQLSTATE until PostgreSQL has read its settings. */
const LINE = /^(?:([0-9A-Z]{5})\|)?([A-Z0-9]+):\s+(.*)$/;

export interface LogLine {
  state: string | undefined;
  severity: string;
  /** Never contains values from requests. */
  message: string;
}

export async function logSize({ path }: Pick<DataFolder, 'path'>): Promise<number> {
  return (await readFrom(path, 0)).end;
}

export async function readLog(
  { path }: Pick<DataFolder, 'path'>,
  from: number,
): Promise<LogLine[]> {
  return parse((await readFrom(path, from)).text);
}

/**
 * Reports new warnings and errors within about a second, and truncates a large log file. Returns a
 * function that stops this.
 */
export function followLog(
  { path }: Pick<DataFolder, 'path'>,
  from: number,
  report: (line: LogLine) => void,
): () => void {
  let position = from;
  let reading = false;
  const timer = setInterval(() => {
    if (reading) return;
    reading = true;
    void follow().finally(() => (reading = false));
  }, POLL_MS).unref();
  return () => clearInterval(timer);

  async function follow(): Promise<void> {
    const { text, end } = await readFrom(path, position);
    const whole = text.lastIndexOf('\n') + 1;
    for (const line of parse(text.slice(0, whole))) report(line);
    position = end - Buffer.byteLength(text.slice(whole));
    if (position < MAX_BYTES || whole < text.length) return;
    // PostgreSQL appends, so it continues at the new end of the file.
    await truncate(join(path, LOG_FILE));
    position = 0;
  }
}

async function readFrom(folder: string, from: number): Promise<{ text: string; end: number }> {
  let file;
  try {
    file = await open(join(folder, LOG_FILE));
  } catch {
    return { text: '', end: 0 };
  }
  try {
    const { size } = await file.stat();
    const begin = from <= size ? from : 0;
    const length = Math.min(size - begin, MAX_BYTES);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, size - length);
    return { text: buffer.toString('utf8', 0, bytesRead), end: size };
  } finally {
    await file.close();
  }
}

function parse(text: string): LogLine[] {
  return text.split('\n').flatMap((line) => {
    const [, state, severity = '', message = ''] = LINE.exec(line) ?? [];
    if (!/^(?:WARNING|ERROR|FATAL|PANIC)$/.test(severity)) return [];
    // Messages of data and constraint errors contain values from requests.
    const quotesValues = state !== undefined && /^2[23]/.test(state);
    return [{ state, severity, message: quotesValues ? `SQLSTATE ${state}` : message }];
  });
}

import { open, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import type { DataFolder } from './data-folder.ts';

export const LOG_FILE = 'postgresql.log';

const POLL_MS = 1_000;
const MAX_BYTES = 1_048_576;
/** `SQLSTATE|SEVERITY:  message`. There is no SQLSTATE until PostgreSQL has read its settings. */
const LINE_PATTERN = /^(?:([0-9A-Z]{5})\|)?([A-Z0-9]+):\s+(.*)$/s;

export interface LogLine {
  sqlState: string | undefined;
  severity: string;
  /** Never contains values from requests. */
  message: string;
}

export async function logSize({ path }: Pick<DataFolder, 'path'>): Promise<number> {
  return (await readFrom(path, 0)).end;
}

export async function readLog(
  { path }: Pick<DataFolder, 'path'>,
  offset: number,
): Promise<LogLine[]> {
  return parseLog((await readFrom(path, offset)).text);
}

/**
 * Reports new warnings and errors within about a second, and truncates a large log file. Returns a
 * function that stops this.
 */
export function followLog(
  { path }: Pick<DataFolder, 'path'>,
  offset: number,
  onLine: (line: LogLine) => void,
): () => void {
  let position = offset;
  let isReading = false;
  const timer = setInterval(() => {
    if (isReading) return;
    isReading = true;
    void follow().finally(() => (isReading = false));
  }, POLL_MS).unref();
  return () => clearInterval(timer);

  async function follow(): Promise<void> {
    const { text, end } = await readFrom(path, position);
    const completeLength = text.lastIndexOf('\n') + 1;
    for (const line of parseLog(text.slice(0, completeLength))) onLine(line);
    position = end - Buffer.byteLength(text.slice(completeLength));
    if (position < MAX_BYTES || completeLength < text.length) return;
    // PostgreSQL appends, so it continues at the new end of the file.
    await truncate(join(path, LOG_FILE));
    position = 0;
  }
}

async function readFrom(folder: string, offset: number): Promise<{ text: string; end: number }> {
  let file;
  try {
    file = await open(join(folder, LOG_FILE));
  } catch {
    return { text: '', end: 0 };
  }
  try {
    const { size } = await file.stat();
    const start = offset <= size ? offset : 0;
    const length = Math.min(size - start, MAX_BYTES);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, size - length);
    return { text: buffer.toString('utf8', 0, bytesRead), end: size };
  } finally {
    await file.close();
  }
}

function parseLog(text: string): LogLine[] {
  return text.split('\n').flatMap((line) => {
    const [, sqlState, severity = '', message = ''] = LINE_PATTERN.exec(line) ?? [];
    if (!/^(?:WARNING|ERROR|FATAL|PANIC)$/.test(severity)) return [];
    // PostgreSQL is stopping or starting. The caller that lost the connection reports the error.
    if (sqlState === '57P01' || sqlState === '57P03') return [];
    // Messages of data and constraint errors contain values from requests.
    const containsValues = sqlState !== undefined && /^2[23]/.test(sqlState);
    return [{ sqlState, severity, message: containsValues ? `SQLSTATE ${sqlState}` : message }];
  });
}

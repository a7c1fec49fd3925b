import { setTimeout as sleep } from 'node:timers/promises';
import { styleText } from 'node:util';
import { type Logger, type LoggerOptions, pino, stdSerializers } from 'pino';
import { isDataError } from '#db/sql-state.ts';
import type { Config } from '../platform/settings/config.ts';

/** Lines are collected, because each write is expensive. */
const MAX_COLLECTED_CHARACTERS = 65_536;
const FLUSH_INTERVAL_MS = 200;
/** Limit while nothing reads the output. Further lines are dropped and counted. */
const MAX_BUFFERED_BYTES = 16_777_216;
const FLUSH_TIMEOUT_MS = 1_000;
/** Messages may contain long texts from other services. */
const MAX_MESSAGE_CHARACTERS = 2_000;
/** Kysely adds its own stack lines to those of the driver. */
const MAX_STACK_LINES = 30;

const OPTIONS: LoggerOptions = {
  timestamp: createClock(),
  formatters: { level: (label) => ({ level: label }) },
  serializers: { err: serializeError },
};

/** Logs JSON lines to standard output, or readable lines to a terminal. Ignores write errors. */
export async function createLogger(
  level: Config['LOG_LEVEL'],
): Promise<{ logger: Logger; flush: () => Promise<void> }> {
  const destination = pino.destination({
    fd: 1,
    sync: false,
    // With 0, a flush would wait for nothing.
    minLength: 1,
    maxLength: MAX_BUFFERED_BYTES,
  });
  destination.on('error', () => {});
  // pino calls this on every `fatal` and at exit, and retries forever if nothing reads the output.
  destination.flushSync = () => {};
  const lines = collectLines(destination);
  const readable = { ...lines, write: (line: string) => lines.write(formatLine(line)) };
  const stream = process.stdout.isTTY ? readable : lines;
  const logger = pino({ ...OPTIONS, base: null, level }, stream);
  let droppedLines = 0;
  destination.on('drop', (text: string) => {
    droppedLines += text.split('\n').length - 1;
  });
  destination.on('drain', () => {
    if (droppedLines === 0) return;
    logger.warn({ lines: droppedLines }, 'log lines were dropped, because the output was not read');
    droppedLines = 0;
  });
  return { logger, flush: () => Promise.race([lines.flush(), sleep(FLUSH_TIMEOUT_MS)]) };
}

/** The destination would count the bytes of all lines that it has not written, for each new line. */
function collectLines(destination: ReturnType<typeof pino.destination>) {
  let lines = '';
  const writeLines = () => {
    if (lines !== '') destination.write(lines);
    lines = '';
  };
  setInterval(writeLines, FLUSH_INTERVAL_MS).unref();
  return {
    write: (line: string) => {
      lines += line;
      if (lines.length > MAX_COLLECTED_CHARACTERS) writeLines();
    },
    /** pino calls this after each `fatal`, which is often the last line. */
    flushSync: writeLines,
    /** Flushes twice, because a flush during a write misses lines that came after its start. */
    flush: async () => {
      writeLines();
      for (let flushCount = 0; flushCount < 2; flushCount += 1)
        await new Promise<void>((resolve) => destination.flush(() => resolve()));
    },
  };
}

/** ISO 8601. Formats each millisecond once. */
function createClock(): () => string {
  let now = 0;
  let time = '';
  return () => {
    if (now !== Date.now()) {
      now = Date.now();
      time = `,"time":"${new Date(now).toISOString()}"`;
    }
    return time;
  };
}

const LEVEL_COLORS = { warn: 'yellow', error: 'red', fatal: 'red' } as const;

interface LogLine {
  level: string;
  time: string;
  msg?: string;
  err?: { stack?: string };
  [detail: string]: unknown;
}

/** `[09:30:00] INFO: message {"port":3000}` for a terminal, and the stack of an error below. */
function formatLine(line: string): string {
  const { level, time, msg = '', err, ...details } = JSON.parse(line) as LogLine;
  const { stack, ...error } = err ?? {};
  const color = LEVEL_COLORS[level as keyof typeof LEVEL_COLORS] ?? 'green';
  const parts = [
    `[${new Date(time).toTimeString().slice(0, 8)}]`,
    `${styleText(color, level.toUpperCase())}:`,
    styleText('cyan', msg),
    ...(Object.keys(details).length > 0 ? [JSON.stringify(details)] : []),
    ...(err ? [JSON.stringify(error)] : []),
  ];
  return `${parts.join(' ')}\n${stack === undefined ? '' : `    ${stack}\n`}`;
}

/**
 * Removes data from clients: drivers attach queries and parameters, and PostgreSQL repeats values
 * in the messages of data and constraint errors.
 */
export function serializeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error };
  const { type, message, stack } = stdSerializers.err(error);
  const code = 'code' in error ? error.code : undefined;
  const safeMessage = isDataError(error)
    ? `SQLSTATE ${String(code)}`
    : message.slice(0, MAX_MESSAGE_CHARACTERS);
  return {
    type,
    message: safeMessage,
    stack: stack
      .replace(message, () => safeMessage)
      .split('\n', MAX_STACK_LINES)
      .join('\n'),
    ...(code !== undefined && { code }),
    ...('constraint' in error && { constraint: error.constraint }),
    ...('table' in error && { table: error.table }),
  };
}

import { setTimeout as sleep } from 'node:timers/promises';
import {
  type DestinationStream,
  type Logger,
  type LoggerOptions,
  pino,
  stdSerializers,
} from 'pino';
import { isDataError } from '#db/sql-state.ts';
import type { Config } from '../settings/config.ts';

/** Lines are written together: a write costs more than a line. */
const BUFFERED_BYTES = 8_192;
const FLUSH_MS = 200;
/** Limit of log lines that are kept while nobody reads, in bytes; lines beyond it are dropped, and counted. */
const MAX_UNREAD_BYTES = 16_777_216;
/** Time for writing out the rest when the process ends, in milliseconds. */
const LAST_FLUSH_MS = 1_000;
/** Limit of a message, which may repeat what another service said. */
const MESSAGE_CHARACTERS = 2_000;
/** Lines of a stack that are logged; Kysely adds its own to those of the driver. */
const STACK_LINES = 30;

/** Length up to which lines of several processes stay whole in one pipe. */
const WHOLE_BYTES = 4_096;

const OPTIONS: LoggerOptions = {
  timestamp: pino.stdTimeFunctions.isoTime,
  formatters: { level: (label) => ({ level: label }) },
  serializers: { err: serializeError },
};

/**
 * The structured log on standard output, one JSON object a line, or on a terminal lines for people;
 * and how to write out what it still holds. A log that cannot be written stops nothing. One of several
 * processes with one output gives its id, which its lines have then.
 */
export async function createLogger(
  level: Config['LOG_LEVEL'],
  pid?: number,
): Promise<{ logger: Logger; flush: () => Promise<void> }> {
  const destination = pino.destination({
    fd: 1,
    sync: false,
    ...(pid === undefined
      ? { minLength: BUFFERED_BYTES }
      : { minLength: WHOLE_BYTES - 1, maxWrite: WHOLE_BYTES }),
    periodicFlush: FLUSH_MS,
    maxLength: MAX_UNREAD_BYTES,
  });
  destination.on('error', () => {});
  // @NOTE pino calls it on every `fatal` and at exit, and it tries for ever when nobody reads any more.
  destination.flushSync = () => {};
  const stream = process.stdout.isTTY ? await readable(destination) : destination;
  const logger = pino({ ...OPTIONS, base: pid === undefined ? null : { pid }, level }, stream);
  let dropped = 0;
  destination.on('drop', () => {
    dropped += 1;
  });
  destination.on('drain', () => {
    if (dropped === 0) return;
    logger.warn({ lines: dropped }, 'lines of the log were dropped, since nobody read it');
    dropped = 0;
  });
  return {
    logger,
    flush: () => Promise.race([writeOut(destination), sleep(LAST_FLUSH_MS)]),
  };
}

/** Writes what is kept. A write that is on its way counts as the first: it leaves what came after it. */
async function writeOut(destination: ReturnType<typeof pino.destination>): Promise<void> {
  for (let written = 0; written < 2; written += 1)
    await new Promise<void>((resolve) => destination.flush(() => resolve()));
}

/** Writes lines for people; loaded only where somebody looks at them. */
async function readable(destination: DestinationStream): Promise<DestinationStream> {
  const { prettyFactory } = await import('pino-pretty');
  const pretty = prettyFactory({
    colorize: process.stdout.hasColors(),
    translateTime: 'SYS:HH:MM:ss',
    singleLine: true,
  });
  return { write: (line) => destination.write(pretty(line)) };
}

/**
 * An error without what a caller sent: drivers attach queries and parameters, and PostgreSQL repeats
 * values in the message of data and constraint errors.
 */
export function serializeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error };
  const { type, message, stack } = stdSerializers.err(error);
  const code = 'code' in error ? error.code : undefined;
  const told = isDataError(error)
    ? `SQLSTATE ${String(code)}`
    : message.slice(0, MESSAGE_CHARACTERS);
  return {
    type,
    message: told,
    stack: stack
      .replace(message, () => told)
      .split('\n', STACK_LINES)
      .join('\n'),
    ...(code !== undefined && { code }),
    ...('constraint' in error && { constraint: error.constraint }),
    ...('table' in error && { table: error.table }),
  };
}

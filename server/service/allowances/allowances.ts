import type { Config } from '../config.ts';

const MEGABYTE = 1_000_000;

/** What an account may hold; 0 is any amount. */
export interface Allowances {
  /** Bytes of metrics that it may submit in a day. */
  metricBytesPerDay: number;
  /** Bytes of answers that are stored for it at a time. */
  answerBytes: number;
  events: number;
  projects: number;
  /** Keys that are not revoked. */
  keys: number;
  /** Names that it left and that are held back from others, at a time. */
  heldBackNames: number;
  nameChangesPerDay: number;
}

/** What the settings allow. */
export function allowancesOf(config: Config): Allowances {
  return {
    metricBytesPerDay: config.METRICS_MB_PER_DAY * MEGABYTE,
    answerBytes: config.STORED_ANSWERS_MB * MEGABYTE,
    events: config.EVENTS_PER_ACCOUNT,
    projects: config.PROJECTS_PER_ACCOUNT,
    keys: config.KEYS_PER_ACCOUNT,
    heldBackNames: config.NAMES_HELD_BACK_PER_ACCOUNT,
    nameChangesPerDay: config.NAME_CHANGES_PER_DAY,
  };
}

import type { Partition } from '../partitions.ts';

/** A table with the columns that its rows are written in. */
export interface SourceTable {
  name: string;
  columns: string[];
}

/** Totals when all tables had been read. */
export interface Totals {
  /** How many rows each table has. */
  rows: Record<string, number>;
  /** The last value of each sequence that was ever used. */
  sequences: { name: string; value: string }[];
}

/** All that a database of Nameplate holds, as of one moment; its schema is what the migrations make. */
export interface Source {
  /** The names of those that have run. */
  migrations: string[];
  /** Partitions of the metrics. */
  partitions: Partition[];
  tables: SourceTable[];
  /** The rows of a table in the text format of COPY, a line each; one table at a time. */
  read: (table: SourceTable) => AsyncIterable<Buffer>;
  /** Only after all tables were read. */
  totals: () => Promise<Totals>;
}

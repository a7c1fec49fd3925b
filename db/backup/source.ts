import type { Partition } from '../partitions.ts';

/** A table with its columns, in the order of the row data. */
export interface SourceTable {
  name: string;
  columns: string[];
}

export interface Totals {
  /** Row count by table. */
  rows: Record<string, number>;
  /** Last values of all used sequences. */
  sequences: { name: string; value: string }[];
}

/** The content of a database at one moment. Its schema is defined by `migrations`. */
export interface Source {
  /** Names of the applied migrations. */
  migrations: string[];
  /** Partitions of `metrics`. */
  partitions: Partition[];
  tables: SourceTable[];
  /** Rows in the text format of COPY, one per line. One table at a time. */
  read: (table: SourceTable) => AsyncIterable<Buffer>;
  /** Call after all tables were read. */
  totals: () => Promise<Totals>;
}

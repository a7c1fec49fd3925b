import type { Partition } from '../partitions.ts';

/** A table and its columns, in the order of the row data. */
export interface SourceTable {
  name: string;
  columns: string[];
}

export interface SourceSummary {
  rows: Record<string, number>;
  /** The last value of each sequence that has been used. */
  sequences: { name: string; value: string }[];
}

/** The content of a database at one moment. Its schema is defined by `migrations`. */
export interface Source {
  migrations: string[];
  partitions: Partition[];
  tables: SourceTable[];
  /** Streams rows in PostgreSQL's COPY text format. Only one table can be read at a time. */
  read: (table: SourceTable) => AsyncIterable<Buffer>;
  /** Call after all tables have been read. */
  readSummary: () => Promise<SourceSummary>;
}

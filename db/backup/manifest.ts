import { z } from 'zod';

const identifier = z.string().min(1).max(63);

/** Manifest of a backup: who made it, and all that is not a row. */
export const Manifest = z.object({
  format: z.literal('nameplate backup 1'),
  about: z.string(),
  /** The version of Nameplate that made it. */
  version: z.string(),
  made_at: z.iso.datetime(),
  migrations: z.array(z.string()),
  partitions: z.array(
    z.object({
      name: identifier.regex(/^metrics_\w+$/),
      from: z.iso.datetime(),
      to: z.iso.datetime(),
    }),
  ),
  tables: z.array(
    z.object({
      name: identifier,
      columns: z.array(identifier).min(1),
      rows: z.int().nonnegative(),
    }),
  ),
  sequences: z.array(z.object({ name: identifier, value: z.string().regex(/^\d+$/) })),
});
export type Manifest = z.infer<typeof Manifest>;

/** Its name in the archive. */
export const MANIFEST = 'manifest.json';

/** Entry with the rows of a table. */
export function entryOf(table: { name: string }): string {
  return `tables/${table.name}`;
}

import type { InsertType, SelectType } from 'kysely';
import type { Database } from '#db/schema.ts';
import type { Columns } from './columns.ts';

// Checks that the table types match the database. Errors below name the differences.

interface Values {
  bigint: string;
  boolean: boolean;
  bytea: Uint8Array;
  date: Date;
  'double precision': number;
  integer: number;
  json: unknown;
  jsonb: unknown;
  smallint: number;
  text: string;
  'timestamp with time zone': Date;
  uuid: string;
}

type Nullable<T> = null extends T ? 'NULL' : 'NOT NULL';
type Optional<T> = undefined extends T ? ' DEFAULT' : '' | ' DEFAULT';

/** Matching column facts from PostgreSQL. It does not report nullability for columns of views. */
type Facts<Column> = {
  [Type in keyof Values]: SelectType<Column> extends Values[Type] | null
    ? Type | `${Type} ${Nullable<SelectType<Column>>}${Optional<InsertType<Column>>}`
    : never;
}[keyof Values];

type WrongColumns<Ours, Theirs> = {
  [Name in keyof Ours | keyof Theirs]: Name extends keyof Ours & keyof Theirs
    ? Theirs[Name] extends Facts<Ours[Name]>
      ? never
      : Name & string
    : Name & string;
}[keyof Ours | keyof Theirs];

type Disagreements<Ours, Theirs> = {
  [Table in keyof Ours | keyof Theirs]: Table extends keyof Ours & keyof Theirs
    ? `${Table & string}.${WrongColumns<Ours[Table], Theirs[Table]>}`
    : Table;
}[keyof Ours | keyof Theirs];

const disagreements: Record<'none' | Disagreements<Database, Columns>, true> = { none: true };
void disagreements;

declare function expectNever<_T extends never>(): void;

// @ts-expect-error: a column that only the types have
expectNever<Disagreements<Database & { sites: { title: string } }, Columns>>();
// @ts-expect-error: a column that only the database has
expectNever<Disagreements<Database, Columns & { sites: { title: 'text NULL' } }>>();
// @ts-expect-error: a table that only one has
expectNever<Disagreements<Database, Columns & { pages: { id: 'uuid NOT NULL' } }>>();
type Other<Id> = Omit<Columns, 'accounts'> & {
  accounts: Omit<Columns['accounts'], 'id'> & { id: Id };
};
expectNever<Disagreements<Database, Other<'uuid NOT NULL DEFAULT'>>>();
// @ts-expect-error: without the default that the types rely on
expectNever<Disagreements<Database, Other<'uuid NOT NULL'>>>();
// @ts-expect-error: null, which the types do not know
expectNever<Disagreements<Database, Other<'uuid NULL DEFAULT'>>>();
// @ts-expect-error: of another type
expectNever<Disagreements<Database, Other<'integer NOT NULL DEFAULT'>>>();

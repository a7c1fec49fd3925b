import type { InsertType, SelectType } from 'kysely';
import type { Schema } from '#db/schema.ts';
import type { Columns } from './columns.ts';

// Checks that the table types match the database. A compiler error lists the columns that differ.

interface ValueTypes {
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

/** Descriptions in `Columns` that match a column type. Those of view columns omit nullability. */
type MatchingDescription<Column> = {
  [Type in keyof ValueTypes]: SelectType<Column> extends ValueTypes[Type] | null
    ? Type | `${Type} ${Nullable<SelectType<Column>>}${Optional<InsertType<Column>>}`
    : never;
}[keyof ValueTypes];

type WrongColumns<Declared, Actual> = {
  [Name in keyof Declared | keyof Actual]: Name extends keyof Declared & keyof Actual
    ? Actual[Name] extends MatchingDescription<Declared[Name]>
      ? never
      : Name & string
    : Name & string;
}[keyof Declared | keyof Actual];

type Mismatches<Declared, Actual> = {
  [Table in keyof Declared | keyof Actual]: Table extends keyof Declared & keyof Actual
    ? `${Table & string}.${WrongColumns<Declared[Table], Actual[Table]>}`
    : Table;
}[keyof Declared | keyof Actual];

const mismatches: Record<'none' | Mismatches<Schema, Columns>, true> = { none: true };
void mismatches;

declare function expectNever<_T extends never>(): void;

// @ts-expect-error: a column exists only in the types
expectNever<Mismatches<Schema & { sites: { title: string } }, Columns>>();
// @ts-expect-error: a column exists only in the database
expectNever<Mismatches<Schema, Columns & { sites: { title: 'text NULL' } }>>();
// @ts-expect-error: a table exists only in the database
expectNever<Mismatches<Schema, Columns & { pages: { id: 'uuid NOT NULL' } }>>();
type ColumnsWithAccountId<Id> = Omit<Columns, 'accounts'> & {
  accounts: Omit<Columns['accounts'], 'id'> & { id: Id };
};
expectNever<Mismatches<Schema, ColumnsWithAccountId<'uuid NOT NULL DEFAULT'>>>();
// @ts-expect-error: the types expect a default
expectNever<Mismatches<Schema, ColumnsWithAccountId<'uuid NOT NULL'>>>();
// @ts-expect-error: the types do not allow null
expectNever<Mismatches<Schema, ColumnsWithAccountId<'uuid NULL DEFAULT'>>>();
// @ts-expect-error: the types expect a string
expectNever<Mismatches<Schema, ColumnsWithAccountId<'integer NOT NULL DEFAULT'>>>();

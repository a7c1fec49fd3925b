import type { ColumnType, GeneratedAlways, Selectable } from 'kysely';
import type { CustomTheme } from '#contract/custom-theme.ts';
import type { StoredMessage } from '#contract/refusal.ts';
import type { Scope } from '#contract/scope.ts';
import type { ConnectionKind } from '#contract/shared/connection-kinds.ts';
import type { CarriedEventType, DeliveredEventType } from '#contract/shared/event-types.ts';
import type { FontPairName } from '#contract/shared/fonts.ts';
import type { Language } from '#contract/shared/languages.ts';
import type { PageSettings } from '#contract/shared/page-settings-block.ts';
import type { Columns } from './columns.ts';

type Json<T> = ColumnType<T, string | Extract<T, null>, string | Extract<T, null>>;

export type LoginScope = Extract<Scope, 'all' | 'operator'>;

type Immutable<T> = ColumnType<T, T, never>;

/** Types that are narrower than those of the database. */
interface NarrowedColumns {
  accounts: { language: Language | null };
  api_keys: { secret_hash: Immutable<Buffer> };
  passkeys: { public_key: Immutable<Buffer>; transports: Json<string[]> };
  sessions: { token_hash: Immutable<Buffer> };
  pictures: { file_hash: Immutable<Buffer> };
  alerts: {
    webhook_id: GeneratedAlways<string | null>;
    path: Json<string[]>;
    last_error: StoredMessage | null;
  };
  connections: {
    kind: ConnectionKind;
    event_types: ColumnType<CarriedEventType[], CarriedEventType[] | undefined, CarriedEventType[]>;
  };
  deliveries: {
    position: GeneratedAlways<string>;
    type: DeliveredEventType;
    data: Json<Record<string, unknown>>;
    error: StoredMessage | null;
  };
  messages: { groups: Json<{ id: string; name: string }[] | null> };
  group_imports: {
    removed: Json<
      { group_id: string; account_id?: string; invitation_id?: string; import_ids: string[] }[]
    >;
  };
  instance: { theme_fonts: FontPairName | null };
  invitations: { language: Language | null };
  sites: { custom_theme: Json<CustomTheme | null>; settings: Json<PageSettings | null> };
  domains: { problem: StoredMessage | null };
  oauth_tokens: { payload: Json<Record<string, unknown>> };
  oauth_keys: { public_key: Json<Record<string, unknown>> };
  metric_deletions: { id: GeneratedAlways<string> };
  idempotency_keys: { response: ColumnType<unknown, string | null> };
  provider_aliases: { last_error: StoredMessage | null };
  postfix_aliases: {
    name: ColumnType<string, never, never>;
    destination: ColumnType<string, never, never>;
  };
}

/** Does not accept tables and columns that the database lacks. */
type ExistingColumns<Types> = {
  [Table in keyof Types]: Table extends keyof Columns
    ? Record<Exclude<keyof Types[Table], keyof Columns[Table]>, never>
    : never;
};

type WithNarrowedColumns<Types extends ExistingColumns<Types>> = {
  [Table in keyof Columns]: Table extends keyof Types
    ? Omit<Columns[Table], keyof Types[Table]> & Types[Table]
    : Columns[Table];
};

/**
 * Columns that the API returns have the names of its fields. Their comments are in the migrations.
 */
export interface Schema extends WithNarrowedColumns<NarrowedColumns> {}

/** A row with only the columns `Names`. */
export type Row<Table extends keyof Schema, Names extends keyof Selectable<Schema[Table]>> = Pick<
  Selectable<Schema[Table]>,
  Names
>;

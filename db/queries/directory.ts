import { type RawBuilder, sql } from 'kysely';
import type { ReadDatabase } from '#db/connections/handles.ts';
import { containsFoldedText } from './contains-text.ts';
import { isInGroup } from './groups.ts';
import { isPagePublished } from './public-sites.ts';

export interface DirectoryQuery {
  search: string;
  /** Whether pages for members are listed, too. */
  forMembers: boolean;
  joinedBefore: Date;
  /** Only those in this group. */
  groupId?: string | undefined;
}

export interface DirectoryEntry {
  name: string;
  title: string;
  avatar_url: string | null;
  bio: string | null;
  letter: string;
}

export interface LetterCount {
  letter: string;
  /** Number of members with this first letter. */
  count: number;
}

/** The index `sites_listed_text` has the same expression. */
const order = sql`left(sites.listed_text, 200)`;
// The collation "C" knows only the capitals of ASCII.
const firstLetter = sql`upper(left(sites.listed_text, 1) COLLATE "default")`;

/** Members who agreed to the front page, sorted without regard to case and accents. */
export async function listDirectory(
  db: ReadDatabase,
  { limit, offset, ...query }: DirectoryQuery & { limit: number; offset: number },
): Promise<DirectoryEntry[]> {
  const { rows } = await sql<DirectoryEntry>`
    SELECT display_names.name, sites.avatar_url, left(sites.bio, 200) AS bio, ${firstLetter} AS letter,
      coalesce(nullif(btrim(sites.display_name), ''), display_names.name) AS title
    FROM ${listed(query)}
    ORDER BY ${order}, sites.account_id LIMIT ${limit} OFFSET ${offset}`.execute(db);
  return rows;
}

/** In the order of the list. */
export async function countDirectory(
  db: ReadDatabase,
  query: DirectoryQuery,
): Promise<LetterCount[]> {
  const { rows } = await sql<LetterCount>`
    SELECT ${firstLetter} AS letter, count(*)::int AS count
    FROM ${listed(query)} GROUP BY 1 ORDER BY min(${order})`.execute(db);
  return rows;
}

function listed({
  search,
  forMembers,
  joinedBefore,
  groupId,
}: DirectoryQuery): RawBuilder<unknown> {
  // Without coalesce, the planner expects that few are found, and looks up each in the other tables.
  const isFound = sql`coalesce(${containsFoldedText(sql`sites.listed_text`, search)}, false)`;
  return sql`sites
    JOIN accounts ON accounts.id = sites.account_id
    JOIN display_names ON display_names.account_id = sites.account_id
    WHERE sites.on_front_page AND ${forMembers ? isPagePublished : sql`sites.enabled`}
      AND sites.suspended_at IS NULL AND accounts.suspended_at IS NULL
      AND accounts.created_at <= ${joinedBefore} AND ${search === '' ? sql`true` : isFound}
      AND ${groupId === undefined ? sql`true` : isInGroup(sql`accounts.id`, [groupId])}`;
}

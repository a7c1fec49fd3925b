import { sql } from 'kysely';
import type { ReadDatabase } from '#db/connections/handles.ts';
import { containsFoldedText, containsText, foldedText } from './contains-text.ts';
import { isPagePublished } from './public-sites.ts';

export interface DirectoryQuery {
  search: string;
  /** Whether pages for members are listed, too. */
  forMembers: boolean;
  joinedBefore: Date;
  offset: number;
  limit: number;
}

export interface DirectoryEntry {
  name: string;
  title: string;
  avatar_url: string | null;
  bio: string | null;
  letter: string;
}

export interface Directory {
  entries: DirectoryEntry[];
  /** Number of members by first letter, in the order of the list. */
  letters: { letter: string; count: number }[];
}

const MAX_LINE_LENGTH = 200;

/** Members who agreed to the front page, sorted without regard to case and accents. */
export async function listDirectory(db: ReadDatabase, query: DirectoryQuery): Promise<Directory> {
  const line = sql`left(sites.bio, ${sql.lit(MAX_LINE_LENGTH)})`;
  const isShown = query.forMembers ? isPagePublished : sql<boolean>`sites.enabled`;
  // The collation "C" knows only the capitals of ASCII.
  const firstLetter = sql`upper(left(folded, 1) COLLATE "default")`;
  const { rows } = await sql<Directory>`
    WITH shown AS (
      SELECT display_names.name, sites.avatar_url, ${line} AS bio,
        coalesce(nullif(btrim(sites.display_name), ''), display_names.name) AS title
      FROM sites
        JOIN accounts ON accounts.id = sites.account_id
        JOIN display_names ON display_names.account_id = sites.account_id
      WHERE sites.on_front_page AND ${isShown} AND sites.suspended_at IS NULL
        AND accounts.suspended_at IS NULL AND accounts.created_at <= ${query.joinedBefore}
      -- Keeps the planner from building and folding a text for each use.
      OFFSET 0
    ), found AS MATERIALIZED (
      SELECT * FROM (
        SELECT *, ${foldedText(sql`title`)} COLLATE "C" AS folded FROM shown OFFSET 0
      ) AS members
      WHERE ${containsFoldedText(sql`folded`, query.search)} OR ${containsText(sql`name`, query.search)}
        OR ${containsText(sql`bio`, query.search)}
    ), page AS (
      SELECT name, title, avatar_url, bio, ${firstLetter} AS letter, folded FROM found
      ORDER BY folded, name LIMIT ${query.limit} OFFSET ${query.offset}
    )
    SELECT
      (SELECT coalesce(json_agg(page ORDER BY folded, name), '[]') FROM page) AS entries,
      (SELECT coalesce(json_agg(json_build_object('letter', letter, 'count', count) ORDER BY first), '[]') FROM (
        SELECT ${firstLetter} AS letter, count(*)::int AS count, min(folded) AS first
        FROM found GROUP BY 1
      ) AS counted) AS letters`.execute(db);
  return rows[0]!;
}

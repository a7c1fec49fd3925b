import { type Kysely, sql } from 'kysely';
import type { Database } from '#db/schema.ts';
import type { Plan } from './scans.ts';

/** Schema information that Citus uses to plan a statement. */
export interface CitusRules {
  /** Distributed tables with their distribution column, and reference tables without one. */
  created: Map<string, string | undefined>;
  /** All tables that Citus manages: also those connected to distributed ones by foreign keys. */
  managed: Set<string>;
  /** Functions that are not IMMUTABLE. */
  mutable: RegExp;
}

export async function readCitusRules(
  db: Kysely<Database>,
  created: readonly (readonly [table: string, column: string | undefined])[],
): Promise<CitusRules> {
  const { rows: keys } = await sql<{ from: string; to: string }>`
    SELECT conrelid::regclass::text AS from, confrelid::regclass::text AS to
    FROM pg_constraint WHERE contype = 'f' AND conparentid = 0`.execute(db);
  const managed = new Set(created.map(([table]) => table));
  for (let size = 0; size < managed.size;) {
    size = managed.size;
    for (const { from, to } of keys)
      if (managed.has(from) || managed.has(to)) managed.add(from).add(to);
  }
  const { rows } = await sql<{ names: string }>`
    SELECT string_agg(DISTINCT proname, '|') AS names FROM pg_proc
    WHERE provolatile <> 'i' AND pronamespace = 'pg_catalog'::regnamespace
      AND proname ~ '^[a-z]\\w*$'`.execute(db);
  return {
    created: new Map(created),
    managed,
    mutable: new RegExp(
      `\\b(?:(?:${rows[0]!.names})\\s*\\(|(?:current|local)_?(?:time|date))`,
      'i',
    ),
  };
}

/** The Citus rules that a statement violates, in the order Citus checks them. */
export function brokenRules(rules: CitusRules, text: string, plan: Plan): string[] {
  const tables = tablesOf(plan);
  // Citus passes all other statements to PostgreSQL.
  if (![...tables].some((table) => rules.managed.has(table))) return [];
  const all = { ...(isModifying(plan) ? MODIFYING : {}), ...ANY };
  return Object.entries(all).flatMap(([rule, isBroken]) =>
    isBroken(text, { ...rules, tables }) ? [rule] : [],
  );
}

type Rule = (text: string, rules: CitusRules & { tables: Set<string> }) => boolean;

/** Rules for writes, with the error messages of Citus. */
const MODIFYING: Record<string, Rule> = {
  'non-IMMUTABLE functions are not allowed in CASE or COALESCE statements': (text, { mutable }) =>
    [...clauses(text, /\bcase\b/i, /\bend\b/i), ...clauses(text, /\bcoalesce\s*\(/i, /$/)].some(
      (part) => mutable.test(part),
    ),
  'non-IMMUTABLE functions are not allowed in the RETURNING clause': (text, { mutable }) =>
    clauses(text, /\breturning\b/i, /$/).some((clause) => mutable.test(clause)),
  'functions used in the DO UPDATE SET clause of INSERTs on distributed tables must be marked IMMUTABLE':
    (text, { mutable }) =>
      clauses(text, /\bon conflict\b/i, /\breturning\b/i).some((clause) => mutable.test(clause)),
  'subqueries are not supported within INSERT queries': (text) =>
    clauses(text, /\bvalues\b|\bon conflict\b/i, /$/).some((clause) =>
      /\(\s*select\b/i.test(clause),
    ),
  'modifying the partition value of rows is not allowed': (text, { created, tables }) =>
    [...tables].some((table) => {
      const column = created.get(table);
      const set = clauses(text, /\bset\b/i, /\bwhere\b|\breturning\b/i);
      return column && set.some((clause) => new RegExp(`\\b${column}"? =`).test(clause));
    }),
};

/** Rules that restrict a statement to one node. */
const ANY: Record<string, Rule> = {
  'names no distribution column': (text, { created, tables }) =>
    [...tables].some((table) => {
      const column = created.get(table);
      const named = new RegExp(
        `${column}"? = (?:ANY \\(+)?\\$\\d|insert into "?${table}"? \\("?(?:\\w|", ")*${column}`,
        'i',
      );
      return column !== undefined && !named.test(text);
    }),
  'joins a table that is not distributed': (_text, { created, tables }) =>
    [...tables].some((table) => created.get(table)) &&
    [...tables].filter((table) => !created.has(table)).length > 0,
};

/** The parts of a statement between each match of `begin` and `end`, or the end of the subquery. */
function clauses(text: string, begin: RegExp, end: RegExp): string[] {
  return text
    .split(begin)
    .slice(1)
    .map((part) => withinParentheses(part).split(end)[0]!);
}

/** The text up to the first unmatched closing parenthesis. */
function withinParentheses(text: string): string {
  let depth = 0;
  const closing = [...text].findIndex((letter) => {
    if (letter === '(') depth += 1;
    if (letter === ')') depth -= 1;
    return depth < 0;
  });
  return closing < 0 ? text : text.slice(0, closing);
}

function isModifying(plan: Plan): boolean {
  return plan['Node Type'] === 'ModifyTable' || (plan.Plans ?? []).some(isModifying);
}

/** The tables in a plan. A partition counts as its table. */
function tablesOf(plan: Plan): Set<string> {
  const name = plan['Relation Name']?.replace(/_\d+(?:_\d+)?$/, '');
  const below = (plan.Plans ?? []).flatMap((part) => [...tablesOf(part)]);
  return new Set(name === undefined ? below : [name, ...below]);
}

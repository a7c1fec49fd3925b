import { sql } from 'kysely';
import type { ReadDatabase } from '#db/connections/handles.ts';
import type { Plan } from './scans.ts';

/** Schema information that Citus uses to plan a statement. */
export interface CitusRules {
  /** Distributed tables with their distribution column, and reference tables without one. */
  distributionColumns: Map<string, string | undefined>;
  /** Distributed and reference tables, and all tables that foreign keys connect to them. */
  managed: Set<string>;
  /** Matches a call of a built-in function that is not IMMUTABLE. */
  mutableFunction: RegExp;
}

export async function readCitusRules(
  db: ReadDatabase,
  distributedTables: readonly (readonly [table: string, column: string | undefined])[],
): Promise<CitusRules> {
  const { rows: keys } = await sql<{ from: string; to: string }>`
    SELECT conrelid::regclass::text AS from, confrelid::regclass::text AS to
    FROM pg_constraint WHERE contype = 'f' AND conparentid = 0`.execute(db);
  const managed = new Set(distributedTables.map(([table]) => table));
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
    distributionColumns: new Map(distributedTables),
    managed,
    mutableFunction: new RegExp(
      `\\b(?:(?:${rows[0]!.names})\\s*\\(|(?:current|local)_?(?:time|date))`,
      'i',
    ),
  };
}

/** The Citus rules that a statement violates, in the order Citus checks them. */
export function findViolations(rules: CitusRules, text: string, plan: Plan): string[] {
  const tables = listTables(plan);
  // Citus passes statements without managed tables to PostgreSQL.
  if (![...tables].some((table) => rules.managed.has(table))) return [];
  const rulesToCheck = { ...(isModifying(plan) ? WRITE_RULES : {}), ...SINGLE_NODE_RULES };
  return Object.entries(rulesToCheck).flatMap(([rule, isViolated]) =>
    isViolated(text, { ...rules, tables }) ? [rule] : [],
  );
}

type Rule = (text: string, rules: CitusRules & { tables: Set<string> }) => boolean;

/** Rules for writes. The keys are the error messages of Citus. */
const WRITE_RULES: Record<string, Rule> = {
  'non-IMMUTABLE functions are not allowed in CASE or COALESCE statements': (
    text,
    { mutableFunction },
  ) =>
    [
      ...extractClauses(text, /\bcase\b/i, /\bend\b/i),
      ...extractClauses(text, /\bcoalesce\s*\(/i, /$/),
    ].some((clause) => mutableFunction.test(clause)),
  'non-IMMUTABLE functions are not allowed in the RETURNING clause': (text, { mutableFunction }) =>
    extractClauses(text, /\breturning\b/i, /$/).some((clause) => mutableFunction.test(clause)),
  'functions used in the DO UPDATE SET clause of INSERTs on distributed tables must be marked IMMUTABLE':
    (text, { mutableFunction }) =>
      extractClauses(text, /\bon conflict\b/i, /\breturning\b/i).some((clause) =>
        mutableFunction.test(clause),
      ),
  'subqueries are not supported within INSERT queries': (text) =>
    extractClauses(text, /\bvalues\b|\bon conflict\b/i, /$/).some((clause) =>
      /\(\s*select\b/i.test(clause),
    ),
  'modifying the partition value of rows is not allowed': (text, { distributionColumns, tables }) =>
    [...tables].some((table) => {
      const column = distributionColumns.get(table);
      const setClauses = extractClauses(text, /\bset\b/i, /\bwhere\b|\breturning\b/i);
      return column && setClauses.some((clause) => new RegExp(`\\b${column}"? =`).test(clause));
    }),
};

const SINGLE_NODE_RULES: Record<string, Rule> = {
  'names no distribution column': (text, { distributionColumns, tables }) =>
    [...tables].some((table) => {
      const column = distributionColumns.get(table);
      const namedColumn = new RegExp(
        `${column}"? = (?:ANY \\(+)?\\$\\d|insert into "?${table}"? \\("?(?:\\w|", ")*${column}`,
        'i',
      );
      return column !== undefined && !namedColumn.test(text);
    }),
  'joins a table that is not distributed': (_text, { distributionColumns, tables }) =>
    [...tables].some((table) => distributionColumns.get(table)) &&
    [...tables].filter((table) => !distributionColumns.has(table)).length > 0,
};

/** The parts of a statement from each match of `begin` to `end` or to the end of the subquery. */
function extractClauses(text: string, begin: RegExp, end: RegExp): string[] {
  return text
    .split(begin)
    .slice(1)
    .map((clause) => cutAtUnmatchedParenthesis(clause).split(end)[0]!);
}

/** The text up to the first unmatched closing parenthesis. */
function cutAtUnmatchedParenthesis(text: string): string {
  let depth = 0;
  const closing = [...text].findIndex((character) => {
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    return depth < 0;
  });
  return closing < 0 ? text : text.slice(0, closing);
}

function isModifying(plan: Plan): boolean {
  return plan['Node Type'] === 'ModifyTable' || (plan.Plans ?? []).some(isModifying);
}

/** The tables in a plan. A partition counts as its table. */
function listTables(plan: Plan): Set<string> {
  const name = plan['Relation Name']?.replace(/_\d+(?:_\d+)?$/, '');
  const childTables = (plan.Plans ?? []).flatMap((child) => [...listTables(child)]);
  return new Set(name === undefined ? childTables : [name, ...childTables]);
}

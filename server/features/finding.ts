import type { SetupCode } from '#contract/owner/setup-finding.ts';

export interface Finding<Code extends string = SetupCode> {
  code: Code;
  /** The dashboard shows errors as warnings. `nameplate check` exits with 1. */
  level: 'error' | 'warning' | 'ok' | 'off';
  title: string;
  /** How many people or reports wait. */
  count: number | null;
  value: string | null;
  text: string;
  /** Lines for `.env` or for a shell. */
  fix: string | null;
  document: string | null;
  /** Path of a dashboard screen. */
  path: string | null;
}

export type NewFinding<Code extends string = SetupCode> = Pick<
  Finding<Code>,
  'code' | 'level' | 'title' | 'text'
> & { [Field in 'value' | 'fix' | 'document' | 'path']?: string | null | undefined } & {
  count?: number | null;
};

const ORDER = { error: 0, warning: 0, ok: 1, off: 2 };

/** Errors and warnings come first. */
export function completeFindings<Code extends string>(
  findings: readonly NewFinding<Code>[],
): Finding<Code>[] {
  return findings
    .map(({ count = null, value = null, fix = null, document = null, path = null, ...rest }) => ({
      ...rest,
      count,
      value,
      fix,
      document,
      path,
    }))
    .toSorted((a, b) => ORDER[a.level] - ORDER[b.level]);
}

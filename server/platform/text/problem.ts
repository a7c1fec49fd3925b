/** What only `nameplate check` reports, in English. */
export interface Problem {
  level: 'error' | 'warning';
  text: string;
}

/** Returns a problem for each text whose value is true. */
export function toProblems(level: Problem['level'], rules: Record<string, boolean>): Problem[] {
  return Object.entries(rules).flatMap(([text, isBroken]) => (isBroken ? { level, text } : []));
}

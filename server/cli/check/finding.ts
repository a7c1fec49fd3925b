import type { Finding } from '#server/features/forwarding/provider.ts';

/** Result of a check of one part of the installation. */
export interface Checked {
  /** Findings for people, without credentials. */
  found: string;
  findings: Finding[];
}

export function error(problem: string, fix: string): Finding {
  return { level: 'error', problem, fix };
}

export function warning(problem: string, fix: string): Finding {
  return { level: 'warning', problem, fix };
}

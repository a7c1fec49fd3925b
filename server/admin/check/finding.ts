import type { Finding } from '../../service/forwarding/provider.ts';

/** What came of looking at a part of the installation. */
export interface Checked {
  /** What there is, for people, without credentials. */
  found: string;
  findings: Finding[];
}

export function error(problem: string, fix: string): Finding {
  return { level: 'error', problem, fix };
}

export function warning(problem: string, fix: string): Finding {
  return { level: 'warning', problem, fix };
}

import type { Finding } from '#server/features/forwarding/forwarding-provider.ts';

export interface CheckResult {
  summary: string;
  findings: Finding[];
}

export function errorFinding(problem: string, fix: string): Finding {
  return { level: 'error', problem, fix };
}

export function warningFinding(problem: string, fix: string): Finding {
  return { level: 'warning', problem, fix };
}

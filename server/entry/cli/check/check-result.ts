import type { Finding } from '#server/features/forwarding/forwarding-provider.ts';

export interface CheckResult {
  summary: string;
  findings: Finding[];
}

import type { DashboardFacts } from '#contract/shared/dashboard-facts.ts';

export const facts = JSON.parse(
  document.getElementById('app')!.dataset['facts']!,
) as DashboardFacts;

import type { DashboardFacts } from '#contract/shared/dashboard-facts.ts';
import type { OptionalFeature } from '#contract/shared/optional-features.ts';

export const facts = JSON.parse(
  document.getElementById('app')!.dataset['facts']!,
) as DashboardFacts;

/** Whether this server has the feature. Operations of a feature that is off respond with 404. */
export function isOn(feature: OptionalFeature): boolean {
  return !facts.featuresOff.includes(feature);
}

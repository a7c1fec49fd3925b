import type { Core } from '#server/core.ts';
import type { AllFeatures } from '../define-feature.ts';

export type ReportContactApp = Pick<Core, 'config' | 'instanceStore'> & {
  features: Pick<AllFeatures, 'off'>;
};

/** Who takes reports of pages. Undefined: the form of the server. Null: nobody. */
export function reportContactOf({
  config,
  features,
  instanceStore,
}: ReportContactApp): string | null | undefined {
  const hasForm = !features.off.includes('reports');
  return config.ABUSE_CONTACT ?? (hasForm ? undefined : instanceStore.current.contact);
}

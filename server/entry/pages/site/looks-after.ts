import { findKeeper } from '#db/queries/keepers.ts';
import type { Core } from '#server/core.ts';
import type { AllFeatures } from '#server/features/define-feature.ts';

/** Whether the account is that of the person, or one that the person keeps. */
export async function looksAfter(
  { pageReadDb, features }: Pick<Core, 'pageReadDb'> & { features: Pick<AllFeatures, 'off'> },
  actorId: string,
  accountId: string,
): Promise<boolean> {
  if (actorId === accountId) return true;
  if (features.off.includes('keepers')) return false;
  return (await findKeeper(pageReadDb, { accountId, actorId })) !== undefined;
}

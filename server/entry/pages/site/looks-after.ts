import type { ReadDatabase } from '#db/connections/handles.ts';
import { findKeeper } from '#db/queries/keepers.ts';
import type { AllFeatures } from '#server/features/define-feature.ts';

/** Whether the account is that of the person, or one that the person keeps. */
export async function looksAfter(
  db: ReadDatabase,
  { off }: Pick<AllFeatures, 'off'>,
  { actorId, accountId }: { actorId: string; accountId: string },
): Promise<boolean> {
  if (actorId === accountId) return true;
  if (off.includes('keepers')) return false;
  return (await findKeeper(db, { accountId, actorId })) !== undefined;
}

import { ownPicture } from '../../../contract/pictures.ts';
import type { Reads } from '../../../db/connections/databases.ts';
import { findPictureFiles, findPictureStates, pictureKey } from '../../../db/queries/pictures.ts';

/** The file of a picture that is stored here and that everybody may see. */
export async function findVisiblePicture(
  reads: Reads,
  address: string | null,
): Promise<Buffer | undefined> {
  const picture = ownPicture(address);
  if (!picture) return undefined;
  const states = await findPictureStates(reads, [picture.id]);
  if (!states.get(picture.id)?.visible) return undefined;
  const key = pictureKey(picture.id, 512);
  return (await findPictureFiles(reads, [key])).get(key);
}

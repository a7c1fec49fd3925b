import type { PictureSize } from '#contract/pictures.ts';
import type { PICTURE_FILE_REFUSALS } from '#contract/owner/pictures.ts';

/** A picture that was decoded and encoded anew. */
export interface DecodedPicture {
  width: number;
  height: number;
  /** WebP in every size. */
  files: Record<PictureSize, Buffer>;
}

/** Answer of the process that decodes. */
export type DecoderResult =
  | { picture: DecodedPicture }
  /** Why the file does not become a picture. */
  | { refusal: keyof typeof PICTURE_FILE_REFUSALS }
  /** Description of a failure of ours. */
  | { failure: string };

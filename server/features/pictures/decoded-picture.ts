import type { PICTURE_FILE_REFUSALS } from '#contract/owner/pictures.ts';
import type { PictureSize } from '#contract/shared/pictures.ts';

export interface DecodedPicture {
  width: number;
  height: number;
  files: Record<PictureSize, Buffer>;
}

export type DecoderResult =
  | { picture: DecodedPicture }
  | { refusal: keyof typeof PICTURE_FILE_REFUSALS }
  | { failure: string };

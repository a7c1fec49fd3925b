import { LIMITS } from '#contract/shared/limits.ts';
import { field } from './fields.ts';
import { forField, refusal } from './refusal.ts';
import { limitedText } from './text.ts';

/** A picture of the installation or of a website, of which the server keeps a copy. */
export function picture<const Code extends string>(
  code: Code,
  description: string,
  pixels: string,
  example = 'https://club.example/instance/VYl0tjXyQ2C8mHn4sRbA1f-512x512.webp',
) {
  return field(
    code,
    limitedText(
      LIMITS.url,
      'must be the URL of one of your uploaded pictures or the present URL.',
    ).nullable(),
    `${description} In a request, the URL of a picture that you uploaded, or the present URL. The server keeps a copy of at most ${pixels}.`,
    example,
  );
}

export const pictureUnknown = (name: string) =>
  forField(
    name,
    refusal(404, 'The account has no picture with this URL.', 'You have no such picture.'),
  );

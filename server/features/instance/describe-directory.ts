import type { Language } from '#contract/shared/languages.ts';
import type { InstanceRow } from '#db/queries/instance.ts';
import { translatorFor } from '#server/platform/text/language.ts';

/** For the mail to a person who is about to join. */
export function describeDirectory(
  { instance, publicUrl }: { instance: Pick<InstanceRow, 'directory'>; publicUrl: string },
  language: Language,
): string[] {
  if (instance.directory === 'off') return [];
  const url = `${publicUrl}/members`;
  return [
    translatorFor(language)(
      'There is a list of members at {url}. You will be in it only if you agree.',
      { url },
    ),
  ];
}

import type { Language } from '#contract/shared/languages.ts';
import type { InstanceRow } from '#db/queries/instance.ts';
import type { Config } from '#server/platform/settings/config.ts';
import { translatorFor } from '#server/platform/text/language.ts';

/** With open sign-up, strangers would be told and listed. */
export function maySkipConsent({ REGISTRATION }: Pick<Config, 'REGISTRATION'>): boolean {
  return REGISTRATION !== 'open';
}

/** Whether the list of members has those who were told and have not objected. */
export function listsUnlessObjected(
  config: Pick<Config, 'REGISTRATION'>,
  { directory, listing }: Pick<InstanceRow, 'directory' | 'listing'>,
): boolean {
  return maySkipConsent(config) && directory !== 'off' && listing === 'unless_objected';
}

/** For the mail to a person who is about to join. */
export function describeListing(
  { config, instance, publicUrl }: { config: Config; instance: InstanceRow; publicUrl: string },
  language: Language,
): string[] {
  if (instance.directory === 'off') return [];
  const [t, url] = [translatorFor(language), `${publicUrl}/members`];
  return [
    listsUnlessObjected(config, instance)
      ? t(
          'There is a list of members at {url}. You will be in it once your page is published, unless you object: a mail tells you how, and from which day on.',
          { url },
        )
      : t('There is a list of members at {url}. You will be in it only if you agree.', { url }),
  ];
}

import type { OptionalFeature } from '#contract/shared/optional-features.ts';
import { commaSeparated } from './comma-separated-list.ts';
import { signOnSettings } from './sign-on-settings.ts';
import { signUpSettings } from './sign-up-settings.ts';

/** `VISITOR_DAYS` is read in any case: old rows are deleted whether or not the feature is on. */
const SETTINGS_OF: { readonly [Feature in OptionalFeature]?: readonly string[] } = {
  backups: ['BACKUP_DIR'],
  connections: ['CONNECTION_PRIVATE_ORIGINS'],
  domains: ['CUSTOM_DOMAIN_TARGET', 'DNS_SERVERS'],
  signOn: Object.keys(signOnSettings),
  signUp: Object.keys(signUpSettings),
  visitors: ['COUNTRY_HEADER'],
};

/** Such as `week-summaries`, as `FEATURES_OFF` names `weekSummaries`. */
export function settingNameOf(feature: string): string {
  return feature.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Without repetitions, in lower case. */
export const featuresOff = commaSeparated.transform((names) => [
  ...new Set(names.map((name) => name.toLowerCase())),
]);

/** Without the settings of features that are off. Nobody can sign up without sign-up. */
export function withoutUnusedSettings(
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  const off = featuresOff.parse(env['FEATURES_OFF'] ?? '');
  const unused = new Set(
    Object.entries(SETTINGS_OF).flatMap(([feature, settings]) =>
      off.includes(settingNameOf(feature)) ? settings : [],
    ),
  );
  return {
    ...Object.fromEntries(Object.entries(env).filter(([name]) => !unused.has(name))),
    ...(off.includes('sign-up') && { REGISTRATION: 'closed' }),
  };
}

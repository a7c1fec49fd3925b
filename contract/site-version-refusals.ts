import { forField, refusal } from './refusal.ts';

/** Why a site is not saved. */
export const SITE_SAVE_REFUSALS = {
  versionConflict: forField(
    'version',
    refusal(
      409,
      'The site was changed since the version that the request names.',
      'The site was changed meanwhile: it is at version {newest} now, not {version}. Nothing was stored.',
      { newest: 8, version: 7 },
    ),
  ),
};

/** Why a version is not restored. */
export const SITE_RESTORE_REFUSALS = {
  versionNotFound: forField(
    'version',
    refusal(
      404,
      'No version of the number is kept.',
      'There is no version {version} of the site; the latest 20 are kept.',
      { version: 3 },
    ),
  ),
};

import { forField, refusal } from './refusal.ts';

export const SITE_SAVE_REFUSALS = {
  versionConflict: forField(
    'version',
    refusal(
      409,
      'The site was changed after the version in the request. Read it, and send the change again with its new version.',
      'The site has changed: it is now at version {newest}, not {version}. Nothing was saved.',
      { newest: 8, version: 7 },
    ),
  ),
};

export const SITE_RESTORE_REFUSALS = {
  versionNotFound: forField(
    'version',
    refusal(
      404,
      'There is no stored version with this number.',
      'There is no version {version} of the site. Only the latest 20 versions are stored.',
      { version: 3 },
    ),
  ),
};

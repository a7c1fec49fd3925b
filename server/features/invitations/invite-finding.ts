import type { FindingReader } from '../define-feature.ts';

export const findMissingMembers: FindingReader = (_app, stored, t) => {
  if (stored?.hasOthers !== false) return undefined;
  const text = t('Paste your list, or print one link for everybody.');
  return { code: 'membersMissing', level: 'off', title: t('Invite members'), text };
};

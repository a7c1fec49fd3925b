import { GAP } from '#contract/shared/instance.ts';
import type { FindingReader } from '../define-feature.ts';

export const findMissingName: FindingReader = (_app, stored, t) => {
  if (!stored || (stored.instance.name !== null && stored.instance.contact !== null))
    return undefined;
  const text = t('What your club, school or company is called, and where members can write to.');
  return { code: 'instanceUnnamed', level: 'off', title: t('Name and contact'), text };
};

/** Drafts contain gaps to fill in. */
function isComplete(text: string | null): boolean {
  return text !== null && text.search(GAP) === -1;
}

export const findMissingLegalTexts: FindingReader = (_app, stored, t) => {
  if (!stored) return undefined;
  const { imprint, imprint_url, privacy, privacy_url } = stored.instance;
  const hasImprint = isComplete(imprint ?? imprint_url);
  const hasPrivacy = isComplete(privacy ?? privacy_url);
  if (hasImprint && hasPrivacy) return undefined;
  const text = hasImprint
    ? t('The privacy policy is missing or has gaps.')
    : hasPrivacy
      ? t('The imprint is missing or has gaps.')
      : t('An imprint says who runs a site. Paste your texts, or fill in our drafts.');
  return { code: 'legalTextsMissing', level: 'off', title: t('Imprint and privacy'), text };
};

import type { Core } from '#server/core.ts';
import type { FindingReader } from '../define-feature.ts';

export const findDomainState: FindingReader<Pick<Core, 'config'>> = (
  { config: { CUSTOM_DOMAIN_TARGET: value } },
  _stored,
  t,
) => {
  const title = t('Members’ own domains');
  if (value !== undefined) {
    const text = t('Members can point a domain of their own here.');
    return { code: 'domainsOn', level: 'ok', title, value, text };
  }
  const text = t('Members can use a domain of their own for their page.');
  const fix = 'CUSTOM_DOMAIN_TARGET=pages.club.example';
  const document = 'docs/custom-domains.md';
  return { code: 'domainsOff', level: 'off', title, text, fix, document };
};

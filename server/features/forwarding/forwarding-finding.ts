import type { Core } from '#server/core.ts';
import { formatCommand } from '#server/platform/settings/format-command.ts';
import { formatStored } from '#server/platform/text/language.ts';
import type { FindingReader } from '../define-feature.ts';
import { PROVIDER_ERRORS } from './forwarding-provider.ts';

export const findForwardingState: FindingReader<Pick<Core, 'config'>> = ({ config }, stored, t) => {
  const about = { title: t('Receiving mail'), document: 'docs/email-forwarding.md' };
  const { EMAIL_FORWARDING_PROVIDER: provider, MAIL_DOMAIN: value } = config;
  if (provider === 'none') {
    const text = t('Members can have an address at your domain that forwards to their mailbox.');
    return { code: 'forwardingOff', level: 'off', ...about, text };
  }
  const error = formatStored(PROVIDER_ERRORS, stored?.forwardingError ?? null, t);
  if (error) {
    const text = t('Some addresses could not be changed at {provider}: {error}', {
      provider,
      error,
    });
    const fix = formatCommand(config, 'check');
    return { code: 'forwardingFailing', level: 'warning', ...about, value, text, fix };
  }
  const text = t('Forwarded with {provider}.', { provider });
  return { code: 'forwardingOn', level: 'ok', title: about.title, value, text };
};

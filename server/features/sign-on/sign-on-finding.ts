import type { Core } from '#server/core.ts';
import type { FindingReader } from '../define-feature.ts';
import { explainSignOnError } from './sign-on-error.ts';
import type { SignOnProvider } from './sign-on.ts';

type App = Pick<Core, 'config'> & { signOn: SignOnProvider | undefined };

export const findSignOnState: FindingReader<App> = async (
  { config: { OIDC_ISSUER: issuer }, signOn },
  _stored,
  t,
) => {
  const about = { title: t('Single sign-on'), document: 'docs/single-sign-on.md' };
  if (issuer === undefined) {
    const text = t('Members sign in with a passkey or a login link.');
    return { code: 'signOnOff', level: 'off', ...about, text };
  }
  const { host: value } = new URL(issuer);
  const error = await signOn?.findError();
  if (!error) {
    const text = t('Members can sign in there.');
    return { code: 'signOnOn', level: 'ok', title: about.title, value, text };
  }
  const level = error.refusal === 'signOnUnavailable' ? 'warning' : 'error';
  const text = explainSignOnError(t, error, value);
  const ownIssuer = error.details.issuer;
  const fix = ownIssuer && `OIDC_ISSUER=${ownIssuer}`;
  return { code: 'signOnFailing', level, ...about, value, text, fix };
};

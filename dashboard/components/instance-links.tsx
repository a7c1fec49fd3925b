import type { ComponentChildren } from 'preact';
import { instanceLinks } from '#contract/shared/instance.ts';
import { instance } from '../instance.ts';
import { t } from '../translate.ts';

/** Contact, imprint, privacy policy and terms, if operators have set them. */
export function InstanceLinks() {
  const links = instanceLinks(instance.value, t);
  if (links.length === 0) return null;
  return (
    <p class="instance-links">
      {links.map(({ label, url }) => (
        <a key={label} href={url} target="_blank" rel="noopener">
          {label}
        </a>
      ))}
    </p>
  );
}

/** Links the terms and privacy policy at sign-up. Renders nothing if the server has neither. */
export function Consent() {
  const { terms_url, privacy_url } = instance.value;
  if (!terms_url && !privacy_url) return null;
  const terms = externalLink(terms_url ?? '');
  const privacy = externalLink(privacy_url ?? '');
  return (
    <p class="hint">
      {!privacy_url
        ? t.rich('By creating an account you accept the <terms>terms</terms>.', { terms })
        : !terms_url
          ? t.rich('By creating an account you accept the <privacy>privacy policy</privacy>.', {
              privacy,
            })
          : t.rich(
              'By creating an account you accept the <terms>terms</terms> and the <privacy>privacy policy</privacy>.',
              { terms, privacy },
            )}
    </p>
  );
}

function externalLink(url: string) {
  return (children: ComponentChildren) => (
    <a href={url} target="_blank" rel="noopener">
      {children}
    </a>
  );
}

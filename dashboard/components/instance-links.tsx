import { instanceLinks } from '#contract/instance.ts';
import { instance } from '../instance.ts';

/** Contact, imprint, privacy policy and terms, if operators have set them. */
export function InstanceLinks() {
  const links = instanceLinks(instance.value);
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

/** What people accept when they create an account. Nothing without links. */
export function Consent() {
  const { terms_url, privacy_url } = instance.value;
  if (!terms_url && !privacy_url) return null;
  return (
    <p class="hint">
      By creating an account you accept the{' '}
      {terms_url && <ExternalLink url={terms_url} text="terms" />}
      {terms_url && privacy_url && ' and the '}
      {privacy_url && <ExternalLink url={privacy_url} text="privacy policy" />}.
    </p>
  );
}

function ExternalLink({ url, text }: { url: string; text: string }) {
  return (
    <a href={url} target="_blank" rel="noopener">
      {text}
    </a>
  );
}

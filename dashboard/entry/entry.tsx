import { useEffect, useRef } from 'preact/hooks';
import { fragment, go, place } from '../router.ts';
import { account } from '../session.ts';
import { hasPasskeys } from '../api/passkeys.ts';
import { ByKey } from './by-key.tsx';
import { ByLink } from './by-link.tsx';
import { ByPasskey } from './by-passkey.tsx';
import { Invitation } from './invitation.tsx';

const TOKEN = /^[\w-]{20,200}$/;

/** How one gets in: by a link that holds a token in its fragment, with a passkey or with an API key. */
export function Entry() {
  const heading = useRef<HTMLHeadingElement>(null);
  const token = TOKEN.test(fragment.value) && place.value === 'login' ? fragment.value : undefined;
  const signedIn = account.value;
  useEffect(() => {
    document.title = 'Sign in · Nameplate';
    heading.current?.focus();
  }, []);
  useEffect(() => {
    if (signedIn && !token && place.value === 'login') go('', { replace: true });
  }, [signedIn, token]);
  if (place.value === 'invitation' && TOKEN.test(fragment.value))
    return <Invitation token={fragment.value} />;
  return (
    <main class="entry">
      <h1 ref={heading} tabIndex={-1}>
        Sign in to Nameplate
      </h1>
      {token && <ByLink token={token} />}
      {!token && hasPasskeys && <ByPasskey />}
      {token ? (
        <details>
          <summary>Use an API key instead</summary>
          <ByKey />
        </details>
      ) : (
        <ByKey />
      )}
      {!token && (
        <p class="hint">
          No key at hand? Whoever runs this server gets a link that signs you in with{' '}
          <code>npx nameplate login</code>.
        </p>
      )}
    </main>
  );
}

import { useEffect, useRef } from 'preact/hooks';
import { fragment, go, place } from '../router.ts';
import { account } from '../session.ts';
import { ByKey } from './by-key.tsx';
import { ByLink } from './by-link.tsx';

const TOKEN = /^[\w-]{20,200}$/;

/** How one gets in: with a link that holds a token in its fragment, or with an API key. */
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
  return (
    <main class="entry">
      <h1 ref={heading} tabIndex={-1}>
        Sign in to Nameplate
      </h1>
      {token && <ByLink token={token} />}
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

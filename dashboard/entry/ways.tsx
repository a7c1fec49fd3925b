import { hasPasskeys } from '../api/passkeys.ts';
import { account, mailsLinks, signInByPasskey, signOn } from '../session.ts';
import { ByKey } from './by-key.tsx';
import { ByMail } from './by-mail.tsx';
import { Icon } from '../parts/icon.tsx';
import { LINES } from '../parts/icon-lines.ts';
import { showing } from '../parts/messages.tsx';
import { addressOf, place, query } from '../router.ts';
import { ENTRIES } from './entries.ts';

/** The ways in for whoever has no link at hand, the easiest first. */
export function Ways() {
  const isFirst = !hasPasskeys && signOn === undefined;
  return (
    <>
      {signOn !== undefined && <BySignOn provider={signOn} />}
      {hasPasskeys && <ByPasskey isMain={signOn === undefined} />}
      {!isFirst && <p class="or">or</p>}
      {mailsLinks && <ByMail isMain={isFirst} />}
      {mailsLinks ? (
        <details>
          <summary>Use an API key instead</summary>
          <ByKey isMain={false} />
        </details>
      ) : (
        <ByKey isMain={isFirst} />
      )}
    </>
  );
}

function ByPasskey({ isMain }: { isMain: boolean }) {
  return (
    <div class="actions">
      <button
        type="button"
        class={isMain ? 'primary' : 'way'}
        onClick={() => void showing(signInByPasskey())}
      >
        <Icon lines={LINES.passkey} />
        Sign in with a passkey
      </button>
    </div>
  );
}

/** If the user is signed in, the provider opens in a new tab, so that nothing they typed is lost. */
function BySignOn({ provider }: { provider: string }) {
  const isAgain = account.value !== undefined;
  const search = query.value.toString();
  const to = ENTRIES.has(place.value) ? '' : place.value + (search && `?${search}`);
  return (
    <div class="actions">
      <a
        class="button primary"
        href={addressOf(`sign-on?${new URLSearchParams(isAgain ? { for: 'again' } : { to })}`)}
        // With a target, the router ignores the link.
        target={isAgain ? '_blank' : '_self'}
      >
        <Icon lines={LINES.user} />
        Sign in with {provider}
      </a>
    </div>
  );
}

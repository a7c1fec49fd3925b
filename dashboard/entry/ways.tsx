import { hasPasskeys } from '../api/passkeys.ts';
import { mailsLinks, signOn } from '../session.ts';
import { ByKey } from './by-key.tsx';
import { ByMail } from './by-mail.tsx';
import { ByPasskey } from './by-passkey.tsx';
import { BySignOn } from './by-sign-on.tsx';

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

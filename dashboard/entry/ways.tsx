import { hasPasskeys } from '../api/passkeys.ts';
import { mailsLinks } from '../session.ts';
import { ByKey } from './by-key.tsx';
import { ByMail } from './by-mail.tsx';
import { ByPasskey } from './by-passkey.tsx';

/** The ways in for whoever has no link at hand, the easiest first. */
export function Ways() {
  return (
    <>
      {hasPasskeys && (
        <>
          <ByPasskey />
          <p class="or">or</p>
        </>
      )}
      {mailsLinks && <ByMail isMain={!hasPasskeys} />}
      {mailsLinks ? (
        <details>
          <summary>Use an API key instead</summary>
          <ByKey isMain={false} />
        </details>
      ) : (
        <ByKey isMain={!hasPasskeys} />
      )}
    </>
  );
}

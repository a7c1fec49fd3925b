import { useEffect, useId, useRef } from 'preact/hooks';
import { hasPasskeys } from '../api/passkeys.ts';
import { isSigningIn } from '../session.ts';
import { ByKey } from './by-key.tsx';
import { ByPasskey } from './by-passkey.tsx';

/** Asks for a passkey or a key when a session ends while somebody works: what they typed stays behind it. */
export function SignInAgain() {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const isOpen = isSigningIn.value;
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);
  return (
    <dialog ref={dialog} aria-labelledby={titleId} onCancel={(event) => event.preventDefault()}>
      {isOpen && (
        <>
          <h2 id={titleId}>Your session has ended</h2>
          <p>Nothing that you typed is lost: sign in, and what you were doing goes on.</p>
          {hasPasskeys && <ByPasskey />}
          <ByKey />
        </>
      )}
    </dialog>
  );
}

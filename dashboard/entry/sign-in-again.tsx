import { useEffect, useId, useRef } from 'preact/hooks';
import { isSigningIn } from '../session.ts';
import { Ways } from './ways.tsx';

/** Has one sign in when a session has ended, or is too old for what somebody does: what they typed stays behind it. */
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
          <h2 id={titleId}>Sign in again</h2>
          <p>Nothing that you typed is lost: sign in, and what you were doing goes on.</p>
          <Ways />
          <p class="hint">
            By a link it is done in a window of its own; then come back to this one.
          </p>
        </>
      )}
    </dialog>
  );
}

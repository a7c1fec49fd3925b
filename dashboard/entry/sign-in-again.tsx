import { Dialog } from '../parts/dialog.tsx';
import { giveUpSigningIn, signingIn } from '../session.ts';
import { Ways } from './ways.tsx';

const WHY = {
  ended:
    'Your session has ended. Nothing that you typed is lost: sign in, and what you did goes on.',
  proof: 'This takes a login of the last five minutes: sign in once more, and it goes on.',
  another:
    'Somebody else signed in with this browser. Sign in as before to keep what you have not saved, or go on as them without it.',
};

/** Has one sign in when a session has ended, or is too old for what somebody does: what they typed stays behind it. */
export function SignInAgain() {
  const why = signingIn.value;
  if (!why) return null;
  return (
    <Dialog key={why} title="Sign in again" onCancel={giveUpSigningIn}>
      <p>{WHY[why]}</p>
      <Ways />
      <p class="hint">By a link it is done in a window of its own; then come back to this one.</p>
      <div class="actions">
        <button type="button" onClick={giveUpSigningIn}>
          {why === 'another' ? 'Go on without it' : 'Cancel'}
        </button>
      </div>
    </Dialog>
  );
}

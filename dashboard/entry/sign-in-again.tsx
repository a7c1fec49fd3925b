import { Dialog } from '../parts/dialog.tsx';
import { giveUpSigningIn, signingIn } from '../session.ts';
import { LoginCommand } from './login-command.tsx';
import { Ways } from './ways.tsx';

const WHY = {
  ended: 'Your session has ended. Nothing you typed is lost: sign in to continue.',
  proof:
    'Your last login was more than an hour ago. Sign in again to continue, so that nobody else can do this in a browser you left open.',
  another:
    'Somebody else signed in with this browser. Sign in as before to keep your unsaved changes, or continue without them.',
};

/** Has one sign in when a session has ended, or is too old for what somebody does: what they typed stays behind it. */
export function SignInAgain() {
  const why = signingIn.value;
  if (!why) return null;
  return (
    <Dialog key={why} title="Sign in again" onCancel={giveUpSigningIn}>
      <p>{WHY[why]}</p>
      <Ways />
      <LoginCommand />
      <div class="actions">
        <button type="button" onClick={giveUpSigningIn}>
          {why === 'another' ? 'Continue without them' : 'Cancel'}
        </button>
      </div>
    </Dialog>
  );
}

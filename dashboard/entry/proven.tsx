import type { ComponentChildren } from 'preact';
import { owner } from '../api/api.ts';
import { Show } from '../parts/states.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { signIns } from '../session.ts';
import { LoginCommand } from './login-command.tsx';
import { Ways } from './ways.tsx';

/**
 * Shows what takes a recent login only to somebody whose login is recent enough; others sign in first,
 * before they fill in a form.
 */
export function Proven({
  to,
  onCancel,
  children,
}: {
  /** Action that it takes the login for, for example `create a key`. */
  to: string;
  /** Leaves the dialog that it is in. */
  onCancel?: () => void;
  children: ComponentChildren;
}) {
  const session = useLoaded(() => owner.session.getSession(), [signIns.value]);
  return (
    <Show loaded={session}>
      {({ proof }) =>
        proof === 'fresh' ? (
          children
        ) : (
          <>
            <p>
              Your last login was more than an hour ago. Sign in again to {to}, so that nobody else
              can do it in a browser you left open.
            </p>
            <Ways />
            <LoginCommand />
            {onCancel && (
              <div class="actions">
                <button type="button" onClick={onCancel}>
                  Cancel
                </button>
              </div>
            )}
          </>
        )
      }
    </Show>
  );
}

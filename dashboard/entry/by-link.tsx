import { APIError } from '../../client/src/errors.ts';
import { Form } from '../parts/form.tsx';
import { signInByLink } from '../session.ts';

/**
 * Signs in with what a link holds. Only the button spends it: programs that look at links do not.
 * `onRefused` is called where the link was used before, has expired, or is none.
 */
export function ByLink({ token, onRefused }: { token: string; onRefused: () => void }) {
  const signIn = async () => {
    try {
      await signInByLink(token);
    } catch (error) {
      if (!(error instanceof APIError && error.code === 'loginFailed')) throw error;
      onRefused();
    }
  };
  return (
    <Form fields={[]} submit="Sign in" onSubmit={signIn}>
      <p>This link signs you in once, on this browser.</p>
    </Form>
  );
}

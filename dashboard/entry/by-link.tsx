import { Form } from '../parts/form.tsx';
import { signInByLink } from '../session.ts';

/** Signs in with what a link holds. Only the button spends it: programs that look at links do not. */
export function ByLink({ token }: { token: string }) {
  return (
    <Form fields={[]} submit="Sign in" onSubmit={() => signInByLink(token)}>
      <p>This link signs you in once, on this browser.</p>
    </Form>
  );
}

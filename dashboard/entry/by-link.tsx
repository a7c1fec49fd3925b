import { Form } from '../parts/form.tsx';
import { go } from '../router.ts';
import { signIn } from '../session.ts';

/** Signs in with what a link holds. Only the button spends it: programs that look at links do not. */
export function ByLink({ token }: { token: string }) {
  return (
    <Form
      fields={[]}
      submit="Sign in"
      onSubmit={async () => {
        await signIn({ link: token });
        go('', { replace: true });
      }}
    >
      <p>This link signs you in once, on this browser.</p>
    </Form>
  );
}

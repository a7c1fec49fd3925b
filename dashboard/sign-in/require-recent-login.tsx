import type { ComponentChildren } from 'preact';
import { owner } from '../api/api.ts';
import { AsyncContent } from '../components/async-content.tsx';
import { Form } from '../components/form.tsx';
import { useAsync } from '../components/use-async.ts';
import { signInCount } from '../session.ts';
import { LoginLinkHelp } from './login-link-help.tsx';
import { SignInMethods } from './sign-in-methods.tsx';
import { t } from '../translate.ts';

/** Shows its children if the last login is recent. Otherwise asks the user to sign in first. */
export function RequireRecentLogin({
  onCancel,
  children,
}: {
  onCancel?: () => void;
  children: ComponentChildren;
}) {
  const session = useAsync(() => owner.sessions.getSession(), [signInCount.value]);
  return (
    <AsyncContent state={session}>
      {({ login_age }) =>
        login_age === 'fresh' ? (
          children
        ) : (
          <>
            <p>
              {t(
                'For your security, sign in again to continue. Your last login was more than an hour ago.',
              )}
            </p>
            <SignInMethods {...(onCancel && { onCancel })} />
            <LoginLinkHelp />
          </>
        )
      }
    </AsyncContent>
  );
}

export function RecentLoginForm({
  text,
  ...form
}: Parameters<typeof Form>[0] & { text?: string; onCancel: () => void }) {
  return (
    <RequireRecentLogin onCancel={form.onCancel}>
      {text && <p>{text}</p>}
      <Form {...form} />
    </RequireRecentLogin>
  );
}

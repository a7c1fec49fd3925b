import { useSignal } from '@preact/signals';
import { unauthenticatedOwner } from '../api/api.ts';
import { NameplateError } from '../../client/src/errors.ts';
import { EmailField } from '../components/email-field.tsx';
import { Form } from '../components/form.tsx';
import { t } from '../translate.ts';

/** The response is the same for unknown addresses. */
export function LoginLinkForm({ isPrimary }: { isPrimary: boolean }) {
  const email = useSignal('');
  const sentTo = useSignal('');
  return (
    <>
      <Form
        fields={['email']}
        submitLabel={t('Email me a link')}
        isPrimary={isPrimary}
        onSubmit={async () => {
          sentTo.value = '';
          const address = email.value.trim();
          if (!/.@./.test(address))
            throw new NameplateError(t('Enter an email address, such as jane@example.com.'));
          await unauthenticatedOwner.session.mailLoginLink({ email: address });
          sentTo.value = address;
        }}
      >
        <EmailField signal={email} hint={t('The address that you confirmed.')} />
      </Form>
      <p role="status" class={sentTo.value ? 'panel' : undefined}>
        {sentTo.value &&
          t(
            'If {address} is the confirmed address of an account, we sent a link there. It works once, within 10 minutes. You get at most five in an hour.',
            { address: sentTo.value },
          )}
      </p>
    </>
  );
}

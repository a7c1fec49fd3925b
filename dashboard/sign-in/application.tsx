import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { APIError } from '#client/errors.ts';
import { unauthenticatedOwner } from '../api/api.ts';
import { Form } from '../components/form.tsx';
import { Consent } from '../components/instance-links.tsx';
import { NameField, NamePlate, useNameCheck } from '../components/name-field.tsx';
import { Plate } from '../components/plate.tsx';
import { LocalDate } from '../components/time.tsx';
import { instanceName } from '../instance.ts';
import { t } from '../translate.ts';
import { SignInCard } from './sign-in-card.tsx';
import { InvalidLink } from './sign-up.tsx';

interface MailedLink {
  /** Undefined if the link is malformed. */
  token: string | undefined;
  initialName: string;
}

/** Sends an application from a mailed link. The user can change a name that is now taken. */
export function Application({ token, initialName }: MailedLink) {
  const name = useSignal(initialName);
  const sent = useSignal<{ display_name: string; expires_at: string }>();
  const isLinkInvalid = useSignal(token === undefined);
  const nameCheck = useNameCheck(name, (input) =>
    unauthenticatedOwner.account.checkRegistration({ ...input, registration_url: token }),
  );
  const send = async () => {
    try {
      sent.value = await unauthenticatedOwner.applications.createApplication({
        registration_url: token!,
        display_name: name.value.trim(),
      });
    } catch (error) {
      if (!(error instanceof APIError && error.code === 'registrationInvalid')) throw error;
      isLinkInvalid.value = true;
    }
  };
  if (isLinkInvalid.value) return <InvalidLink />;
  if (sent.value)
    return (
      <SignInCard
        title={t('Your application is on its way')}
        plate={<Plate>@{sent.value.display_name}</Plate>}
        subtitle={t.rich(
          'The people who run {instance} read it, and you get a mail with the answer. They can decide until <date></date>. Your name is held until then.',
          {
            instance: instanceName.value,
            date: () => <LocalDate time={sent.value!.expires_at} />,
          },
        )}
      >
        <p class="hint">{t('The mail that we have just sent has a link to withdraw it.')}</p>
      </SignInCard>
    );
  return (
    <SignInCard
      title={t('Ask to join {server}', { server: instanceName.value })}
      plate={<NamePlate input={name.value} nameCheck={nameCheck} />}
      subtitle={t('Your email address is confirmed. You can still change the name.')}
    >
      <Form fields={['display_name']} submitLabel={t('Ask to join')} onSubmit={send}>
        <NameField
          signal={name}
          nameCheck={nameCheck}
          hint={t('At least three letters, digits or hyphens. You can change it later.')}
        />
        <Consent />
      </Form>
    </SignInCard>
  );
}

export function Withdrawal({ token, initialName }: MailedLink) {
  const result = useSignal(token === undefined ? 'invalid' : 'asked');
  const withdraw = async () => {
    try {
      await unauthenticatedOwner.applications.deleteApplication({ application_url: token! });
      result.value = 'done';
    } catch (error) {
      if (!(error instanceof APIError && error.code === 'applicationInvalid')) throw error;
      result.value = 'invalid';
    }
  };
  const plate = initialName ? <Plate>@{initialName}</Plate> : undefined;
  const card = (title: string, subtitle: string, children?: ComponentChildren) => (
    <SignInCard title={title} plate={plate} subtitle={subtitle}>
      {children}
    </SignInCard>
  );
  if (result.value === 'done')
    return card(t('Your application is withdrawn'), t('Your address and text are deleted.'));
  if (result.value === 'invalid')
    return card(
      t('This application does not wait any more'),
      t('It was answered or withdrawn, or has expired. Look at the newest mail about it.'),
    );
  return card(
    t('Withdraw your application?'),
    t('Your address and text are deleted, and the name is free for others.'),
    <Form fields={[]} submitLabel={t('Withdraw')} isDangerous onSubmit={withdraw} />,
  );
}

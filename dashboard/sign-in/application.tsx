import { useSignal } from '@preact/signals';
import { APIError } from '#client/errors.ts';
import { unauthenticatedOwner } from '../api/api.ts';
import { AsyncContent } from '../components/async-content.tsx';
import { Form } from '../components/form.tsx';
import { Plate } from '../components/plate.tsx';
import { LocalDate } from '../components/time.tsx';
import { useAsync } from '../components/use-async.ts';
import { instanceName } from '../instance.ts';
import { t } from '../translate.ts';
import { SignInCard } from './sign-in-card.tsx';
import { ConfirmedName, type MailedLink } from './sign-up.tsx';

/** Sends an application from a mailed link. */
export function Application(link: MailedLink) {
  const sent = useSignal<{ display_name: string; expires_at: string }>();
  const send = async (registration_url: string, display_name: string) => {
    const input = { registration_url, display_name };
    sent.value = await unauthenticatedOwner.applications.createApplication(input);
  };
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
    <ConfirmedName
      {...link}
      title={t('Ask to join {server}', { server: instanceName.value })}
      submitLabel={() => t('Send application')}
      onSubmit={send}
    />
  );
}

/** By result or error code. */
const WITHDRAWAL_TEXTS: Readonly<Record<string, readonly [title: string, subtitle: string]>> = {
  waiting: [
    t('Withdraw your application?'),
    t('Your address and text are deleted, and the name is free for others.'),
  ],
  withdrawn: [t('Your application is withdrawn'), t('Your address and text are deleted.')],
  applicationInvalid: [
    t('This application is closed'),
    t('It was answered or withdrawn, or has expired. Look at the newest mail about it.'),
  ],
};

export function Withdrawal({ token = '', initialName }: MailedLink) {
  const result = useSignal('');
  const show = async (next: string, request: Promise<unknown>) => {
    try {
      await request;
      result.value = next;
    } catch (error) {
      if (!(error instanceof APIError && WITHDRAWAL_TEXTS[error.code ?? ''])) throw error;
      result.value = error.code!;
    }
  };
  const { applications } = unauthenticatedOwner;
  const link = { application_url: token };
  const lookup = useAsync(() => show('waiting', applications.getApplication(link)));
  const withdraw = () => show('withdrawn', applications.deleteApplication(link));
  const texts = WITHDRAWAL_TEXTS[result.value];
  if (!texts)
    return (
      <SignInCard title={t('Your application')}>
        <AsyncContent state={lookup}>{() => null}</AsyncContent>
      </SignInCard>
    );
  const plate = initialName ? <Plate>@{initialName}</Plate> : undefined;
  return (
    <SignInCard title={texts[0]} plate={plate} subtitle={texts[1]}>
      {result.value === 'waiting' && (
        <Form fields={[]} submitLabel={t('Withdraw')} isDangerous onSubmit={withdraw} />
      )}
    </SignInCard>
  );
}

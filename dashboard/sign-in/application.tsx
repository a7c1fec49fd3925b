import { useSignal } from '@preact/signals';
import { APIError } from '#client/errors.ts';
import { type ResponseOf, unauthenticatedOwner } from '../api/api.ts';
import { AsyncContent } from '../components/async-content.tsx';
import { Face } from '../components/face.tsx';
import { Form } from '../components/form.tsx';
import { Plate } from '../components/plate.tsx';
import { LocalDate } from '../components/time.tsx';
import { useAsync } from '../components/use-async.ts';
import { instanceName } from '../instance.ts';
import { t } from '../translate.ts';
import './application.css';
import { SignInCard } from './sign-in-card.tsx';
import { ConfirmedName, type MailedLink } from './sign-up.tsx';

/** Sends an application from a mailed link. */
export function Application(link: MailedLink) {
  const sent = useSignal<Status>();
  const send = async (registration_url: string, display_name: string) => {
    const input = { registration_url, display_name };
    sent.value = await unauthenticatedOwner.account.createApplication(input);
  };
  if (sent.value) return <BeingRead status={sent.value} />;
  return (
    <ConfirmedName
      {...link}
      title={t('Ask to join {server}', { server: instanceName.value })}
      submitLabel={() => t('Send application')}
      onSubmit={send}
    />
  );
}

type Status = ResponseOf<typeof unauthenticatedOwner.account.getApplication>;

/** Shows the person who applied how it stands, and takes the application back. */
export function ApplicationStatus({ token = '', initialName }: MailedLink) {
  const isDeleted = useSignal(false);
  const { account } = unauthenticatedOwner;
  const link = { application_url: token };
  const status = useAsync(() => account.getApplication(link).catch(ignoreClosed));
  const remove = async () => {
    await account.deleteApplication(link).catch(ignoreClosed);
    isDeleted.value = true;
  };
  const plate = initialName ? <Plate>@{initialName}</Plate> : undefined;
  const isClosed = isDeleted.value || status.value === null;
  if (isClosed)
    return (
      <SignInCard
        title={isDeleted.value ? t('Everything is deleted') : t('This application is closed')}
        plate={plate}
      >
        <p class="muted">
          {isDeleted.value
            ? t('The name is free again.')
            : t('It was answered or taken back, or has expired. Look at the newest mail about it.')}
        </p>
      </SignInCard>
    );
  if (status.value?.state === 'declined') return <Declined status={status.value} remove={remove} />;
  if (status.value) return <BeingRead status={status.value} remove={remove} />;
  return (
    <SignInCard title={t('Your application')} plate={plate}>
      <AsyncContent state={status}>{() => null}</AsyncContent>
    </SignInCard>
  );
}

/** Decided in the meantime, or deleted with another copy of the link. */
function ignoreClosed(error: unknown): null {
  if (error instanceof APIError && error.code === 'applicationInvalid') return null;
  throw error;
}

/** Without `remove`, the link to take it back is in the mail. */
function BeingRead({ status, remove }: { status: Status; remove?: () => Promise<void> }) {
  const { display_name, text, created_at, expires_at } = status;
  return (
    <SignInCard
      title={t('Thanks. We’re reading it')}
      plate={<Plate>@{display_name}</Plate>}
      subtitle={t.rich('You get a mail with the answer, by <date></date> at the latest.', {
        date: () => <LocalDate time={expires_at} />,
      })}
    >
      <ol class="application-steps">
        <li>{t('Asked')}</li>
        <li aria-current="step">{t('Being read')}</li>
        <li>{t('Answer')}</li>
      </ol>
      {text !== '' && (
        <div class="panel">
          <p class="hint">
            {t.rich('You wrote on <date></date>', { date: () => <LocalDate time={created_at} /> })}
          </p>
          <p>{text}</p>
        </div>
      )}
      <p class="hint">
        {t.rich('Your name is set aside: <name></name>', {
          name: () => <strong>@{display_name}</strong>,
        })}
      </p>
      {remove ? (
        <Form submitLabel={t('Take it back')} isPrimary={false} onSubmit={remove} />
      ) : (
        <p class="hint">{t('The mail that we have just sent has a link to withdraw it.')}</p>
      )}
    </SignInCard>
  );
}

function Declined({ status, remove }: { status: Status; remove: () => Promise<void> }) {
  const { display_name, sentence, by, expires_at } = status;
  return (
    <SignInCard title={t('Not this time')} plate={<Plate>@{display_name}</Plate>}>
      {sentence !== null && (
        <div class="panel">
          {by !== null && (
            <p class="row">
              <Face url={null} name={by} />
              <strong>@{by}</strong>
            </p>
          )}
          <p>{sentence}</p>
        </div>
      )}
      <p class="muted">
        {t.rich('Your name and this answer are deleted on <date></date>.', {
          date: () => <LocalDate time={expires_at} />,
        })}
      </p>
      <Form submitLabel={t('Delete them now')} isPrimary={false} onSubmit={remove} />
    </SignInCard>
  );
}

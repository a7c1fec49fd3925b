import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { LIMITS } from '#contract/shared/limits.ts';
import { MAIL_PORTS } from '#contract/shared/mail-servers.ts';
import { contactEmail } from '#contract/shared/web-url.ts';
import { owner, type ResponseOf } from '#dashboard/api/api.ts';
import { AsyncContent } from '#dashboard/components/async-content.tsx';
import { confirm } from '#dashboard/components/confirm.tsx';
import { BoundField, Field } from '#dashboard/components/field.tsx';
import { Form } from '#dashboard/components/form.tsx';
import { FlowDiagram } from '#dashboard/components/how-it-works.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { showMessage, withErrorMessage } from '#dashboard/components/messages.tsx';
import { Plate } from '#dashboard/components/plate.tsx';
import { ScreenHeader } from '#dashboard/components/screen-header.tsx';
import { TimeAgo } from '#dashboard/components/time.tsx';
import { useAsync } from '#dashboard/components/use-async.ts';
import { instance } from '#dashboard/instance.ts';
import { dashboardHref, query } from '#dashboard/router.ts';
import { t } from '#dashboard/translate.ts';
import type { AuditEntry } from './labels.ts';
import { MAIL_PATH, sendTestMail } from './setup.tsx';
import '../mail/mail.css';
import './operator.css';
import './server.css';

type MailServerState = ResponseOf<typeof owner.server.getMailServer>;
type Provider = ResponseOf<typeof owner.server.listMailProviders>['providers'][number];

export function MailServer() {
  const state = useAsync(() => owner.server.getMailServer());
  const tests = useAsync(() => owner.server.listAuditEntries({ action: 'server', limit: 50 }));
  const view = useSignal<'connected' | 'form'>();
  const edit = () => (view.value = 'form');
  const { mail_server: server, pending, obstacle } = state.value ?? {};
  const isConnected = server?.readable === true;
  const isShown =
    server?.source === 'environment' ||
    (isConnected && !obstacle && (pending ? view.value === 'connected' : view.value !== 'form'));
  return (
    <>
      <ScreenHeader
        title={t('Sending mail')}
        parent={{ title: t('Your server'), path: 'operator' }}
        subtitle={t('For login links, invitations and notices.')}
      >
        {isShown && (
          <>
            {server!.source === 'dashboard' && (
              <>
                <button type="button" class="quiet" onClick={() => void disconnect()}>
                  {t('Disconnect')}
                </button>
                <button type="button" onClick={edit}>
                  {t('Change')}
                </button>
              </>
            )}
            <button type="button" onClick={() => void sendTestMail(null).then(tests.reload)}>
              {t('Send test mail')}
            </button>
          </>
        )}
      </ScreenHeader>
      <AsyncContent state={state}>
        {(loaded) => {
          if (isShown)
            return (
              <Connected
                state={loaded}
                server={server!}
                lastTest={tests.value?.entries.find(({ action }) => action === TEST_ACTION)}
              />
            );
          if (obstacle) return <Obstacle obstacle={obstacle} />;
          if (pending && !view.value)
            return <CodeForm pending={pending} isConnected={isConnected} onChange={edit} />;
          return (
            <ServerForm
              state={loaded}
              onDone={(isSent) => {
                // A code that is still awaited must not hide the mailbox that works.
                view.value = isConnected && !isSent ? 'connected' : undefined;
                state.reload();
              }}
            />
          );
        }}
      </AsyncContent>
    </>
  );
}

const TEST_ACTION = 'server.sendTestMail';

function Obstacle({ obstacle }: { obstacle: NonNullable<MailServerState['obstacle']> }) {
  const code = obstacle === 'publicUrlMissing' ? 'addressMissing' : obstacle;
  return (
    <section class="card server-mail">
      <h2>{t('One step before')}</h2>
      <p>
        {obstacle === 'publicUrlMissing'
          ? t('Links in mails need the address of this server. It has none yet.')
          : t('The password is stored encrypted. This server has no key for that yet.')}
      </p>
      <a class="button primary" href={dashboardHref(`operator#${code}`)}>
        {t('How to do it')}
      </a>
    </section>
  );
}

function Connected({
  state: { waiting },
  server: { source, host, port, user, sender },
  lastTest,
}: {
  state: MailServerState;
  server: NonNullable<MailServerState['mail_server']>;
  lastTest: AuditEntry | undefined;
}) {
  const sentText = query.value.get('sent');
  const sent = Number(sentText);
  const hasFailed = lastTest && lastTest.detail['result'] !== 'accepted';
  const facts = [
    [t('Sender'), sender],
    [t('Server'), `${host}:${port}`],
    [t('User'), user],
    [t('Last test'), lastTest ? <TimeAgo time={lastTest.created_at} /> : t('None')],
    [t('Result'), hasFailed && <span class="error">{t('Failed')}</span>],
  ] as const;
  return (
    <section class="card route-card" style={{ '--length': sender?.length, '--largest': '1.25rem' }}>
      <FlowDiagram
        from={[ICON_PATHS.server, t('This server')]}
        to={[ICON_PATHS.mail, t('Inboxes')]}
        isOn
      >
        <Plate>{sender}</Plate>
      </FlowDiagram>
      <div class="row between">
        <div class="grow">
          <div class="row">
            <h2>{t('This server sends mail')}</h2>
            <span class="pill good">{t('Connected')}</span>
          </div>
          <p class="muted" role="status">
            {sent > 0
              ? t(
                  '{count, plural, one {# mail that waited is} other {# mails that waited are}} sent now.',
                  { count: sent },
                )
              : waiting > 0
                ? t('{count, plural, one {# mail waits} other {# mails wait}} to be sent.', {
                    count: waiting,
                  })
                : t('All mail has been sent.')}
          </p>
          {source === 'environment' && (
            <p class="hint">
              {t(
                'Set with SMTP_URL on the server. Remove it there to connect another mailbox here.',
              )}
            </p>
          )}
        </div>
        {sentText !== null && (
          <a class="button primary" href={dashboardHref('operator/members/add')}>
            {t('Invite members')}
          </a>
        )}
      </div>
      <dl class="row between">
        {facts.map(
          ([term, value]) =>
            value && (
              <div key={term}>
                <dt>{term}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
      </dl>
    </section>
  );
}

async function disconnect(): Promise<void> {
  const isConfirmed = await confirm({
    title: t('Disconnect mail?'),
    text: t(
      'The server then sends no login links, invitations or notices. You can sign in with a passkey, or with the command nameplate login on the server. Mails that wait are kept for a week.',
    ),
    action: t('Disconnect'),
  });
  if (isConfirmed && (await withErrorMessage(owner.server.deleteMailServer())))
    location.assign(MAIL_HREF);
}

const MAIL_HREF = dashboardHref(MAIL_PATH);

function CodeForm({
  pending,
  isConnected,
  onChange,
}: {
  pending: NonNullable<MailServerState['pending']>;
  /** Whether another mailbox works until the code is entered. */
  isConnected: boolean;
  onChange: () => void;
}) {
  const code = useSignal('');
  useEffect(() => {
    document.querySelector<HTMLElement>('[name=code]')!.focus();
  }, []);
  const { expires_at: _expiresAt, ...server } = pending;
  const sendAgain = async () => {
    if (await withErrorMessage(owner.server.checkMailServer(server as CheckedServer)))
      showMessage(t('Another code was sent.'));
  };
  return (
    <section class="card server-mail">
      <h2>{t('Enter the code')}</h2>
      <p>
        {t(
          '{host} accepted a test mail to {email}. Enter the code in it. If it does not arrive, look in the spam folder, or send another one: some servers let new senders wait a few minutes.',
          pending,
        )}{' '}
        {isConnected && t('Until then, mail still goes through the old settings.')}
      </p>
      <Form
        fields={['code']}
        submitLabel={t('Connect mail')}
        cancelLabel={t('Change the settings')}
        onCancel={onChange}
        onSubmit={async () => {
          const { waiting } = await owner.server.updateMailServer({
            code: code.value.replaceAll(/\D/g, ''),
          });
          // Loads a new document, because other screens depend on whether there is mail.
          location.assign(`${MAIL_HREF}?sent=${waiting}`);
        }}
      >
        <BoundField
          signal={code}
          name="code"
          label={t('Code')}
          autocomplete="one-time-code"
          inputMode="numeric"
          required
        />
        <button type="button" class="link" onClick={() => void sendAgain()}>
          {t('Send another code')}
        </button>
      </Form>
    </section>
  );
}

type CheckedServer = Parameters<typeof owner.server.checkMailServer>[0];

function useDraft({ mail_server: stored, pending }: MailServerState) {
  const known = pending ?? stored;
  const { contact } = instance.peek();
  const clubEmail = contactEmail(contact) ?? '';
  return {
    sender: useSignal(known?.sender ?? clubEmail),
    host: useSignal(known?.host ?? ''),
    port: useSignal(String(known?.port ?? MAIL_PORTS[0])),
    user: useSignal(known ? (known.user ?? '') : clubEmail),
    password: useSignal(''),
    email: useSignal(pending?.email ?? clubEmail),
  };
}
type Draft = ReturnType<typeof useDraft>;

const PORT_OPTIONS = MAIL_PORTS.map((port) => [String(port), String(port)] as const);

function ServerForm({
  state,
  onDone,
}: {
  state: MailServerState;
  onDone: (isSent: boolean) => void;
}) {
  const draft = useDraft(state);
  const { mail_server: stored, pending } = state;
  const known = pending ?? stored;
  const check = async () => {
    const { password } = draft;
    await owner.server.checkMailServer({
      sender: draft.sender.value.trim(),
      host: draft.host.value.trim(),
      port: Number(draft.port.value) as CheckedServer['port'],
      user: draft.user.value.trim(),
      password: password.value || undefined,
      email: draft.email.value.trim(),
    });
    onDone(true);
  };
  return (
    <section class="card server-mail">
      <h2>{t('Connect a mailbox')}</h2>
      {stored && !stored.readable && (
        <p class="panel bad">
          {t(
            'The mail server connected here is encrypted with another key. Restore that key, or set SMTP_URL.',
          )}
        </p>
      )}
      <p>
        {t(
          'Use a mailbox that your club already has: login links, invitations and notices are sent through it. We send a test mail first. The code in that mail completes the connection.',
        )}
      </p>
      <Form
        fields={Object.keys(draft)}
        submitLabel={t('Send test mail')}
        onCancel={known?.host ? () => onDone(false) : undefined}
        onSubmit={check}
      >
        <ProviderFields draft={draft} />
        <LoginFields
          draft={draft}
          keepsPassword={
            known?.host === draft.host.value &&
            String(known.port) === draft.port.value &&
            known.user === draft.user.value
          }
        />
      </Form>
    </section>
  );
}

/** Fills in the server of a provider that is recognized by the address or chosen. */
function ProviderFields({ draft: { sender, host, port, user, email } }: { draft: Draft }) {
  const providers = useAsync(() => owner.server.listMailProviders());
  const provider = useSignal<Provider>();
  const choose = (chosen: Provider | undefined) => {
    provider.value = chosen;
    if (!chosen) return;
    host.value = chosen.host;
    port.value = String(chosen.port);
  };
  const recognized = useRef('');
  const recognize = async () => {
    const address = sender.value.trim();
    if (!address.includes('@') || address === recognized.current) return;
    recognized.current = address;
    const found = await owner.server.listMailProviders({ email: address }).catch(() => undefined);
    if (found?.providers[0]) choose(found.providers[0]);
  };
  useEffect(() => {
    // An address that is filled in names its provider, too.
    if (host.peek() === '') void recognize();
  }, []);
  const listed = [provider.value ?? [], providers.value?.providers ?? []].flat();
  const names = [...new Set(listed.map(({ name }) => name))];
  return (
    <>
      <Field
        value={sender.value}
        onValue={(address) => {
          // These are the same as the sender until the operator edits them.
          for (const field of [user, email])
            if (field.value === sender.value) field.value = address;
          sender.value = address;
        }}
        name="sender"
        label={t('Sender')}
        hint={t('The address of the mailbox that mail comes from.')}
        type="email"
        autocomplete="off"
        maxLength={LIMITS.email}
        onBlur={() => void recognize()}
        required
      />
      <Field
        name="provider"
        label={t('Mail provider')}
        value={provider.value?.name ?? ''}
        onValue={(name) => choose(listed.find((other) => other.name === name))}
        options={[['', t('Another one')], ...names.map((name) => [name, name] as const)]}
        hint={provider.value?.note}
      />
      <BoundField
        signal={host}
        name="host"
        label={t('Mail server')}
        hint={t('The server for outgoing mail (SMTP) in the help of your provider.')}
        placeholder="mail.example.org"
        spellcheck={false}
        required
      />
      <BoundField signal={port} name="port" label={t('Port')} options={PORT_OPTIONS} />
    </>
  );
}

function LoginFields({
  draft: { user, password, email },
  keepsPassword,
}: {
  draft: Draft;
  keepsPassword: boolean;
}) {
  const isPasswordShown = useSignal(false);
  const optional = { autocomplete: 'off', maxLength: LIMITS.email } as const;
  const attributes = { ...optional, required: true };
  return (
    <>
      <BoundField signal={user} name="user" label={t('User')} spellcheck={false} {...attributes} />
      <BoundField
        signal={password}
        name="password"
        label={t('Password')}
        type={isPasswordShown.value ? 'text' : 'password'}
        {...(keepsPassword
          ? { ...optional, hint: t('Leave it empty to keep the current one.') }
          : attributes)}
      />
      <label class="row">
        <input
          type="checkbox"
          checked={isPasswordShown.value}
          onChange={() => (isPasswordShown.value = !isPasswordShown.peek())}
        />
        {t('Show password')}
      </label>
      <BoundField
        signal={email}
        name="email"
        label={t('Send the code to')}
        type="email"
        hint={t('A mailbox that you can read now.')}
        {...attributes}
      />
    </>
  );
}

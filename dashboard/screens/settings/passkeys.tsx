import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { owner } from '#dashboard/api/api.ts';
import { canUsePasskeys, createPasskey, PASSKEY_EXPLANATION } from '#dashboard/api/passkeys.ts';
import { Empty, AsyncContent } from '#dashboard/components/async-content.tsx';
import { Dialog } from '#dashboard/components/dialog.tsx';
import { BoundField } from '#dashboard/components/field.tsx';
import { Form } from '#dashboard/components/form.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { Icon } from '#dashboard/components/icon.tsx';
import { showMessage, withErrorMessage } from '#dashboard/components/messages.tsx';
import { useAsync } from '#dashboard/components/use-async.ts';
import { describeUserAgent } from '#dashboard/components/user-agent.ts';
import { isOperator } from '#dashboard/current-account.ts';
import { navigate, query } from '#dashboard/router.ts';
import { requireRecentLogin } from '#dashboard/session.ts';
import { t } from '#dashboard/translate.ts';
import { LoginMethods } from './login-methods.tsx';

const HTTPS_NEEDED = t('Passkeys need HTTPS, or http://localhost.');
const UNAVAILABLE = t('Passkeys do not work at this address. Ask the people who run this server.');

export function Passkeys() {
  const passkeys = useAsync(() => owner.passkeys.listPasskeys());
  const isAdding = canUsePasskeys && query.value.has('passkey');
  const close = () => navigate('settings', { replace: true });
  useEffect(() => {
    if (!isAdding) return;
    // Browsers create a passkey only right after a click, so the login has to come before.
    void withErrorMessage(requireRecentLogin()).then((isRecent) => isRecent || close());
  }, [isAdding]);
  const count = passkeys.value?.passkeys.length;
  const here = location.hostname;
  const hasOthers = passkeys.value?.passkeys.some(({ host }) => (host ?? here) !== here);
  const unavailable = isOperator.value ? HTTPS_NEEDED : UNAVAILABLE;
  return (
    <section class="card">
      <div class="card-head">
        <h2>
          {t('Passkeys')}
          {count ? <span class="count">{count}</span> : null}
        </h2>
        {canUsePasskeys && (
          <button type="button" onClick={() => navigate('settings?passkey', { replace: true })}>
            <Icon path={ICON_PATHS.plus} />
            {t('Add passkey')}
          </button>
        )}
      </div>
      <AsyncContent state={passkeys}>
        {({ passkeys: list }) =>
          list.length === 0 ? (
            <Empty icon={ICON_PATHS.passkey} title={t('No passkeys yet')}>
              <p class="muted">{canUsePasskeys ? PASSKEY_EXPLANATION : unavailable}</p>
            </Empty>
          ) : (
            <LoginMethods
              methods={list}
              nameOf={({ label, id }) => label ?? t('Passkey {id}', { id: id.slice(0, 8) })}
              icon={ICON_PATHS.passkey}
              detailOf={({ host }) => hasOthers && (host ?? t('Unknown'))}
              addedTitle={t('Added')}
              action={t('Remove')}
              textsFor={(name) => ({
                label: t('Remove {name}', { name }),
                question: t('Remove {name}?', { name }),
                done: t('Removed {name}.', { name }),
              })}
              remove={({ id: passkey_id }) => owner.passkeys.deletePasskey({ passkey_id })}
              onRemoved={passkeys.reload}
            />
          )
        }
      </AsyncContent>
      {hasOthers && (
        <p class="panel bad">
          {t(
            'You cannot sign in here with a passkey for another address. Remove it, and add one for {host}.',
            { host: here },
          )}
        </p>
      )}
      {!canUsePasskeys && count ? <p class="hint">{unavailable}</p> : null}
      {isAdding && (
        <Dialog title={t('Add passkey')} onCancel={close}>
          <p class="hint">{t('It works only at this address: {host}.', { host: location.host })}</p>
          <NewPasskey
            onCancel={close}
            onCreated={() => {
              close();
              passkeys.reload();
            }}
          />
        </Dialog>
      )}
    </section>
  );
}

/** Name of a passkey if the user enters none. */
const defaultName = describeUserAgent(navigator.userAgent);

function NewPasskey({ onCreated, onCancel }: { onCreated: () => void; onCancel: () => void }) {
  const label = useSignal('');
  return (
    <Form
      fields={['label']}
      submitLabel={t('Continue')}
      onCancel={onCancel}
      onSubmit={async () => {
        const { options } = await owner.passkeys.createPasskeyOptions();
        const credential = await createPasskey(options);
        await owner.passkeys.createPasskey({
          answer: credential,
          label: label.value.trim() || defaultName,
        });
        showMessage(t('You can now sign in with this passkey.'));
        onCreated();
      }}
    >
      <BoundField
        signal={label}
        name="label"
        label={t('Name')}
        placeholder={defaultName}
        maxLength={200}
        hint={t('Next, your browser asks where to keep the passkey.')}
      />
    </Form>
  );
}

import { type Signal, useSignal } from '@preact/signals';
import { DAY_MS } from '#contract/shared/durations.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import { owner } from '#dashboard/api/api.ts';
import { Dialog } from '#dashboard/components/dialog.tsx';
import { Form } from '#dashboard/components/form.tsx';
import { showMessage, withErrorMessage } from '#dashboard/components/messages.tsx';
import { NameField, NamePlate, useNameCheck } from '#dashboard/components/name-field.tsx';
import { Plate } from '#dashboard/components/plate.tsx';
import { RadioCards } from '#dashboard/components/radio-cards.tsx';
import { useAsync } from '#dashboard/components/use-async.ts';
import { loadDisplayName } from '#dashboard/display-name.ts';
import { pagesUrl, quarantineDays } from '#dashboard/session.ts';
import { t } from '#dashboard/translate.ts';

const dateFormat = new Intl.DateTimeFormat(t.locale, { dateStyle: 'long' });

export function RenameDialog({
  currentName,
  isVisible,
  onCancel,
  onDone,
}: {
  currentName: string;
  isVisible: boolean;
  onCancel: () => void;
  onDone: () => void;
}) {
  const nameInput = useSignal('');
  const oldAddress = useSignal('redirect');
  const nameCheck = useNameCheck(nameInput, (name) => owner.account.checkDisplayName(name));
  const forwarding = useAsync(() => owner.forwarding.getForwarding()).value;
  const hasMail = Boolean(forwarding?.enabled);
  const { host } = new URL(pagesUrl);
  const redirects = isVisible && oldAddress.value === 'redirect';
  const rename = async (display_name: string, redirect: boolean) => {
    await owner.account.updateAccountName({ display_name, redirect });
    return loadDisplayName();
  };
  const undo = async () => {
    const name = await withErrorMessage(rename(currentName, false));
    if (name === undefined) return;
    showMessage(
      hasMail
        ? t('Your name is {name} again. Mail forwarding is off. Turn it on again under Mail.', {
            name,
          })
        : t('Your name is {name} again.', { name }),
    );
    onDone();
  };
  return (
    <Dialog
      title={t('Change your name')}
      banner={
        <div class="rename-plates">
          <div class={nameCheck?.available ? 'old' : undefined}>
            <Plate>@{currentName}</Plate>
          </div>
          <span>→</span>
          <NamePlate input={nameInput.value} nameCheck={nameCheck} />
        </div>
      }
      onCancel={onCancel}
    >
      <Form
        fields={['display_name']}
        submitLabel={t('Change name')}
        isDangerous={isVisible && !redirects}
        isDisabled={nameCheck?.available === false}
        onCancel={onCancel}
        onSubmit={async () => {
          const name = await rename(nameInput.value, redirects);
          showMessage(
            hasMail
              ? t('Your name is now {name}. Mail forwarding is off. Turn it on again under Mail.', {
                  name,
                })
              : t('Your name is now {name}.', { name }),
            { label: t('Undo'), run: () => void undo() },
          );
          onDone();
        }}
      >
        <NameField
          signal={nameInput}
          nameCheck={nameCheck}
          label={t('New name')}
          hint={t('At least three letters, digits or hyphens.')}
        />
        {isVisible && <OldAddressChoice signal={oldAddress} address={`${host}/@${currentName}`} />}
        <Consequences
          name={currentName}
          mailAddress={forwarding?.enabled ? forwarding.forwarding_email : null}
          heldDays={
            redirects
              ? Math.max(LIMITS.redirectDays, quarantineDays)
              : isVisible || hasMail
                ? quarantineDays
                : 0
          }
        />
      </Form>
    </Dialog>
  );
}

function Consequences({
  name,
  mailAddress,
  heldDays,
}: {
  name: string;
  /** Null if no mail is forwarded. */
  mailAddress: string | null;
  heldDays: number;
}) {
  return (
    <ul class="muted">
      <li>{t('Your blocks, numbers and domains stay as they are.')}</li>
      {mailAddress !== null && (
        <li>
          {t(
            'Mail to {address} is no longer forwarded. Turn forwarding on again for the new address under Mail.',
            { address: mailAddress },
          )}
        </li>
      )}
      {heldDays > 0 && (
        <li>
          {t('Until {date}, nobody else can claim @{name}. You can change back to it.', {
            date: dateIn(heldDays),
            name,
          })}
        </li>
      )}
    </ul>
  );
}

function OldAddressChoice({ signal, address }: { signal: Signal<string>; address: string }) {
  return (
    <RadioCards
      label={t('What happens to {address}?', { address })}
      value={signal.value}
      onValue={(value) => (signal.value = value)}
      options={[
        {
          value: 'redirect',
          title: t('It redirects to the new address for {days} days', {
            days: LIMITS.redirectDays,
          }),
          description: t(
            'Links and printed QR codes work until {date} and show everybody your new name. You can stop this at any time.',
            { date: dateIn(LIMITS.redirectDays) },
          ),
        },
        {
          value: 'stop',
          title: t('It stops working'),
          description: t(
            'Links and printed QR codes show “No page here”. Nobody learns your new name from them.',
          ),
        },
      ]}
    />
  );
}

function dateIn(days: number): string {
  return dateFormat.format(Date.now() + days * DAY_MS);
}

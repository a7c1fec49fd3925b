import { type Signal, useSignal } from '@preact/signals';
import { api, owner } from '#dashboard/api/api.ts';
import { Form } from '#dashboard/components/form.tsx';
import { announce } from '#dashboard/components/messages.tsx';
import {
  claimLabel,
  type NameCheck,
  NameField,
  NamePlate,
  useNameCheck,
} from '#dashboard/components/name-field.tsx';
import { loadDisplayName, saveAsTitle } from '#dashboard/display-name.ts';
import { query } from '#dashboard/router.ts';
import { forwardsMail, pagesUrl } from '#dashboard/session.ts';
import { t } from '#dashboard/translate.ts';

export function UnnamedHome({ onDone }: { onDone: () => void }) {
  // The front page passes on a name that the visitor typed before signing in.
  const nameInput = useSignal(query.peek().get('name') ?? '');
  const nameCheck = useNameCheck(nameInput, (input) => owner.account.checkDisplayName(input));
  return (
    <div class="main-and-side">
      <ClaimName nameInput={nameInput} nameCheck={nameCheck} onDone={onDone} />
      <PageSketch input={nameInput.value} nameCheck={nameCheck} />
    </div>
  );
}

interface ClaimNameProps {
  nameInput: Signal<string>;
  nameCheck: NameCheck | undefined;
  onDone: () => void;
}

function ClaimName({ nameInput, nameCheck, onDone }: ClaimNameProps) {
  const claim = async () => {
    await api.account.updateDisplayName({ display_name: nameInput.peek() });
    const name = await loadDisplayName();
    await saveAsTitle(nameInput.peek().trim());
    announce(t('Your name is now {name}.', { name }));
    onDone();
  };
  return (
    <section class="card claim">
      <h2>{t('Claim your name')}</h2>
      <p class="muted">
        {forwardsMail
          ? t('It becomes your page and mail address. You can change it later.')
          : t('It becomes the address of your page. You can change it later.')}
      </p>
      <Form
        fields={['display_name']}
        submitLabel={claimLabel(nameCheck) ?? t('Claim name')}
        isDisabled={nameCheck?.available === false}
        onSubmit={claim}
      >
        <NameField
          signal={nameInput}
          nameCheck={nameCheck}
          hint={t('At least three letters, digits or hyphens.')}
        />
      </Form>
    </section>
  );
}

function PageSketch({ input, nameCheck }: { input: string; nameCheck: NameCheck | undefined }) {
  return (
    <div class="unnamed" aria-hidden="true">
      <NamePlate input={input} nameCheck={nameCheck} />
      <p class="hint">
        {new URL(pagesUrl).host}/@{nameCheck?.display_name ?? t('your-name')}
      </p>
      <div class="sketch" />
    </div>
  );
}

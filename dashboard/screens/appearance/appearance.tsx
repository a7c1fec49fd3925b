import { useComputed, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { FONT_PAIRS } from '#contract/shared/fonts.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import { owner } from '#dashboard/api/api.ts';
import { AsyncContent } from '#dashboard/components/async-content.tsx';
import { Field } from '#dashboard/components/field.tsx';
import { Form } from '#dashboard/components/form.tsx';
import { showMessage } from '#dashboard/components/messages.tsx';
import { ScreenHeader } from '#dashboard/components/screen-header.tsx';
import { useAsync } from '#dashboard/components/use-async.ts';
import { appearanceDraft } from '#dashboard/draft-storage.ts';
import { dashboardHref } from '#dashboard/router.ts';
import { t } from '#dashboard/translate.ts';
import { waitForUploads } from '../page/picture-file.ts';
import '#dashboard/components/pinned-title.css';
import './appearance.css';
import { ColorField } from './color-field.tsx';
import { CoverField } from './cover-field.tsx';
import {
  type Bind,
  DRAFT_FIELDS,
  type Instance,
  type InstanceDraft,
  updateDocument,
} from './instance-draft.ts';
import { LogoField } from './logo-field.tsx';
import { FrontPagePreview } from './preview.tsx';

const FORM_ID = 'appearance';

export function Appearance() {
  const loaded = useAsync(() => owner.server.getInstance());
  const hasChanges = appearanceDraft.hasUnsavedChanges.value;
  return (
    <>
      <ScreenHeader
        title={t('Appearance')}
        subtitle={t('How this server looks to members and visitors.')}
      >
        <div class={hasChanges ? 'row pins-title bottom-bar' : 'row pins-title'}>
          {hasChanges && (
            <button type="reset" form={FORM_ID} class="quiet">
              {t('Discard')}
            </button>
          )}
          <button form={FORM_ID} class="primary" disabled={!hasChanges}>
            {t('Save changes')}
          </button>
        </div>
      </ScreenHeader>
      <AsyncContent state={loaded}>
        {(response) => (
          <AppearanceForm
            saved={response.instance}
            unsaved={appearanceDraft.read() as Partial<Instance> | undefined}
          />
        )}
      </AsyncContent>
    </>
  );
}

function AppearanceForm({
  saved,
  unsaved,
}: {
  saved: Instance;
  unsaved: Partial<Instance> | undefined;
}) {
  const savedDraft = useSignal(toDraft(saved));
  const draft = useSignal(toDraft({ ...saved, ...unsaved }));
  const changes = useComputed(() => changesOf(savedDraft.value, draft.value));
  const hasChanges = Object.keys(changes.value).length > 0;
  useEffect(
    () => appearanceDraft.write(hasChanges ? changes.value : undefined),
    [changes.value, hasChanges],
  );
  const bind: Bind = (name) => ({
    name,
    value: draft.value[name],
    onValue: (value) => (draft.value = { ...draft.peek(), [name]: value }),
  });
  const save = async () => {
    await waitForUploads();
    const response = await owner.server.updateInstance(changes.peek());
    savedDraft.value = draft.value = toDraft(response.instance);
    updateDocument(response.instance);
    showMessage(t('Saved. Everybody sees it within seconds.'));
  };
  return (
    <div class="main-and-side appearance">
      <Form
        id={FORM_ID}
        fields={Object.keys(draft.value)}
        onSubmit={save}
        onCancel={() => (draft.value = savedDraft.peek())}
      >
        <NameSection bind={bind} />
        <section class="card">
          <h2>{t('Logo')}</h2>
          <LogoField {...bind('logo_url')} label={t('Logo')} />
          {(draft.value.logo_url || draft.value.dark_logo_url) && (
            <LogoField
              {...bind('dark_logo_url')}
              label={t('For dark backgrounds')}
              isOptional
              isDark
            />
          )}
        </section>
        <ColorField {...bind('color')} />
        <CoverField bind={bind} />
        <ThemeSection bind={bind} />
        <section class="card">
          <h2>{t('Front page')}</h2>
          <Field
            {...bind('welcome')}
            label={t('Welcome text')}
            hint={t('Markdown, such as **bold** and [links](https://example.com).')}
            maxLength={LIMITS.instanceWelcome}
            rows={4}
          />
          <Field
            {...bind('our_page')}
            label={t('Our page')}
            prefix="@"
            hint={t(
              'The account with the page of the club. If that page is shown on the front page, its dates and links appear there, too.',
            )}
            autocomplete="off"
            spellcheck={false}
          />
          <Field
            {...bind('directory')}
            label={t('List of members')}
            hint={t('A list at /members of all who show their page on the front page.')}
            options={[
              ['off', t('directory|Off')],
              ['members', t('directory|For members')],
              ['everybody', t('directory|For everybody')],
            ]}
          />
        </section>
        <FooterSection bind={bind} />
      </Form>
      <FrontPagePreview changes={changes.value} />
    </div>
  );
}

function ThemeSection({ bind }: { bind: Bind }) {
  return (
    <section class="card">
      <h2>{t('Theme for pages')}</h2>
      <Field
        {...bind('theme_fonts')}
        label={t('Fonts')}
        hint={t(
          'Adds a theme of your own to the designs, with your color and picture. Pages that use it change with it.',
        )}
        options={[
          ['', t('No theme of our own')],
          ...Object.entries(FONT_PAIRS).map(([name, { label }]) => [name, label] as const),
        ]}
      />
    </section>
  );
}

function NameSection({ bind }: { bind: Bind }) {
  return (
    <section class="card">
      <h2>{t('Name')}</h2>
      <Field
        {...bind('name')}
        label={t('Name of the club, school or company')}
        maxLength={LIMITS.instanceName}
        placeholder="Nameplate"
      />
      <Field
        {...bind('line')}
        label={t('One line')}
        hint={t('On the front page, and at the end of mails.')}
        maxLength={LIMITS.instanceLine}
      />
    </section>
  );
}

function FooterSection({ bind }: { bind: Bind }) {
  return (
    <section class="card">
      <h2>{t('In the footer')}</h2>
      <p class="hint">
        {t(
          'On the front page, at sign-in and in every mail. Imprint and privacy also on every page.',
        )}
      </p>
      <Field
        {...bind('contact')}
        label={t('Contact')}
        placeholder={t('office@example.com')}
        maxLength={LIMITS.url}
      />
      <p>
        <a class="button" href={dashboardHref('operator/legal')}>
          {t('Imprint and privacy')}
        </a>
      </p>
    </section>
  );
}

function toDraft(saved: Instance): InstanceDraft {
  return Object.fromEntries(DRAFT_FIELDS.map((name) => [name, saved[name] ?? ''])) as InstanceDraft;
}

function changesOf(saved: InstanceDraft, draft: InstanceDraft): Partial<Instance> {
  return Object.fromEntries(
    DRAFT_FIELDS.filter((name) => draft[name].trim() !== saved[name]).map((name) => [
      name,
      draft[name].trim() || null,
    ]),
  );
}

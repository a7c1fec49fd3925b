import { type Signal, signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { GAP, LEGAL_DOCUMENTS, type LegalDocument, legalTitle } from '#contract/shared/instance.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import { owner } from '#dashboard/api/api.ts';
import { AsyncContent } from '#dashboard/components/async-content.tsx';
import { confirm } from '#dashboard/components/confirm.tsx';
import { Field } from '#dashboard/components/field.tsx';
import { Form } from '#dashboard/components/form.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { Icon } from '#dashboard/components/icon.tsx';
import { showMessage, withErrorMessage } from '#dashboard/components/messages.tsx';
import { ScreenHeader } from '#dashboard/components/screen-header.tsx';
import { SegmentedControl } from '#dashboard/components/segmented-control.tsx';
import { useAsync } from '#dashboard/components/use-async.ts';
import { legalDraft } from '#dashboard/draft-storage.ts';
import { LANGUAGE_OPTIONS, formatList, language, t } from '#dashboard/translate.ts';
import './appearance.css';
import { type Instance, updateDocument } from './instance-draft.ts';
import { Markdown } from './markdown.tsx';

interface Draft {
  text: string;
  url: string;
  isLink: boolean;
}
type Drafts = Partial<Record<LegalDocument, Draft>>;

const FORM_ID = 'legal';
const PURPOSES: Readonly<Record<LegalDocument, string>> = {
  imprint: t('Who runs this server, and how to reach them.'),
  privacy: t(
    'What this server stores, and for how long. Read it again after you change mail or backups.',
  ),
  terms: t('Everybody who creates an account accepts them.'),
};

export function LegalTexts() {
  const loaded = useAsync(() => owner.server.getInstance());
  const name = useSignal<LegalDocument>('imprint');
  const hasChanges = useSignal(false);
  return (
    <>
      <ScreenHeader
        title={t('Imprint and privacy')}
        parent={{ title: t('Appearance'), path: 'operator/appearance' }}
        subtitle={t('In the footer of this server’s pages and mails.')}
      >
        {hasChanges.value && (
          <button type="reset" form={FORM_ID} class="quiet">
            {t('Discard')}
          </button>
        )}
        <button form={FORM_ID} class="primary" disabled={!hasChanges.value}>
          {t('Publish')}
        </button>
      </ScreenHeader>
      <SegmentedControl
        label={t('Which text')}
        look="tabs"
        value={name.value}
        options={LEGAL_DOCUMENTS.map((document) => [document, legalTitle(document, t)])}
        onValue={(document) => (name.value = document)}
      />
      <AsyncContent state={loaded}>
        {({ instance }) => (
          <DocumentForm
            key={name.value}
            name={name.value}
            saved={instance}
            hasChanges={hasChanges}
            onSaved={loaded.reload}
            onNext={() => (name.value = 'privacy')}
          />
        )}
      </AsyncContent>
    </>
  );
}

function DocumentForm({
  name,
  saved,
  hasChanges: hasAnyChange,
  onSaved,
  onNext,
}: {
  name: LegalDocument;
  saved: Instance;
  /** For the buttons in the title of the screen. */
  hasChanges: Signal<boolean>;
  onSaved: () => void;
  /** Opens the privacy policy. */
  onNext: () => void;
}) {
  const savedText = saved[name]?.trim() ?? '';
  const savedUrl = saved[`${name}_url`] ?? '';
  const isPublished = savedText !== '' || savedUrl !== '';
  const initial = { text: savedText, url: savedUrl, isLink: savedText === '' && savedUrl !== '' };
  const draft = useSignal<Draft>((legalDraft.read() as Drafts | undefined)?.[name] ?? initial);
  const { text, url, isLink } = draft.value;
  const hasChanges = isLink ? url !== savedUrl || savedText !== '' : text.trim() !== savedText;
  useEffect(() => {
    const others = { ...(legalDraft.read() as Drafts | undefined) };
    delete others[name];
    const drafts = hasChanges ? { ...others, [name]: draft.value } : others;
    hasAnyChange.value = hasChanges;
    legalDraft.write(Object.keys(drafts).length > 0 ? drafts : undefined);
  }, [draft.value, hasChanges]);
  const change = (part: Partial<Draft>) => (draft.value = { ...draft.peek(), ...part });
  const gaps = isLink ? [] : [...new Set(text.match(GAP))];
  const publish = async () => {
    if (gaps.length > 0 && !(await confirmGaps(gaps))) return;
    const { instance } = await owner.server.updateInstance({
      [name]: isLink ? null : text.trim() || null,
      [`${name}_url`]: isLink ? withScheme(url.trim()) || null : null,
    });
    change({ url: instance[`${name}_url`] ?? '', text: instance[name] ?? '' });
    updateDocument(instance);
    showMessage(t('Saved. Everybody sees it within seconds.'));
    onSaved();
  };
  return (
    <div class="pair legal">
      <section class="card">
        <div class="card-head">
          <h2>{legalTitle(name, t)}</h2>
          {isPublished && (
            <a href={savedText ? `/${name}` : savedUrl} target="_blank" rel="noopener">
              {t('Open')} <Icon path={ICON_PATHS.externalLink} />
            </a>
          )}
        </div>
        <p class="hint">{PURPOSES[name]}</p>
        <SegmentedControl
          label={t('Where the text is')}
          value={isLink ? 'link' : 'text'}
          look="wide segments"
          options={[
            ['text', t('Text on this server')],
            ['link', t('Link to another site')],
          ]}
          onValue={(value) => change({ isLink: value === 'link' })}
        />
        <Form
          id={FORM_ID}
          fields={[name, `${name}_url`]}
          onSubmit={publish}
          onCancel={() => (draft.value = initial)}
        >
          {isLink ? (
            <Field
              name={`${name}_url`}
              label={legalTitle(name, t)}
              type="url"
              placeholder="https://"
              maxLength={LIMITS.url}
              value={url}
              onValue={(value) => change({ url: value })}
            />
          ) : (
            <TextFields
              name={name}
              text={text}
              gapCount={gaps.length}
              onText={(value) => change({ text: value })}
            />
          )}
        </Form>
        {name === 'imprint' && isPublished && !(saved.privacy ?? saved.privacy_url) && (
          <button type="button" onClick={onNext}>
            {t('Next: privacy policy')}
          </button>
        )}
      </section>
      {!isLink && <TextPreview name={name} text={text} />}
    </div>
  );
}

function TextFields({
  name,
  text,
  gapCount,
  onText,
}: {
  name: LegalDocument;
  text: string;
  gapCount: number;
  onText: (text: string) => void;
}) {
  return (
    <>
      <DraftButton name={name} text={text} onDraft={onText} />
      <Field
        name={name}
        label={t('Text')}
        hint={t('Markdown, such as ## Heading, **bold** and [links](https://example.com).')}
        maxLength={LIMITS.legalText}
        rows={14}
        value={text}
        onValue={onText}
      />
      {gapCount > 0 && (
        <p class="note">
          <Icon path={ICON_PATHS.edit} />
          <button type="button" class="link" onClick={selectNextGap}>
            {t(
              '{count, plural, one {# place to fill in} other {# places to fill in}}: what is in brackets.',
              { count: gapCount },
            )}
          </button>
        </p>
      )}
    </>
  );
}

function selectNextGap(): void {
  const screen = document.querySelector('.legal')!;
  const area = screen.querySelector('textarea')!;
  const gaps = [...area.value.matchAll(GAP)];
  const next = gaps.find(({ index }) => index >= area.selectionEnd) ?? gaps[0]!;
  area.focus();
  area.setSelectionRange(next.index, next.index + next[0].length);
  // Selecting does not scroll. A copy that ends before the gap is as tall as the text above it.
  const copy = area.cloneNode() as HTMLTextAreaElement;
  copy.rows = 1;
  copy.value = area.value.slice(0, next.index);
  area.after(copy);
  area.scrollTop = copy.scrollHeight - area.clientHeight / 2;
  copy.remove();
  const preview = screen.querySelector('.legal-preview')!;
  const mark = preview.querySelectorAll('mark')[gaps.indexOf(next)];
  if (mark)
    preview.scrollTop +=
      mark.getBoundingClientRect().top - preview.getBoundingClientRect().top - 100;
}

function TextPreview({ name, text }: { name: LegalDocument; text: string }) {
  const title = legalTitle(name, t);
  // The page shows the title once, too.
  const firstLine = text.trim().split('\n')[0]!.replace(/^#+ /, '');
  return (
    <section class="card legal-preview" aria-label={t('Preview')} tabIndex={0}>
      <p class="hint">{t('Preview')}</p>
      {firstLine !== title && <h2>{title}</h2>}
      {text.trim() ? (
        <Markdown text={text} />
      ) : (
        <p class="muted">{t('You see your text here while you write.')}</p>
      )}
    </section>
  );
}

/** The same for all documents. */
const draftLanguage = signal(language);

function DraftButton({
  name,
  text,
  onDraft,
}: {
  name: LegalDocument;
  text: string;
  onDraft: (text: string) => void;
}) {
  const start = async () => {
    const isConfirmed =
      text.trim() === '' ||
      (await confirm({
        title: t('Replace your text with a draft?'),
        text: t('The draft takes the place of what you wrote here. Nothing is published yet.'),
        action: t('Replace text'),
      }));
    if (!isConfirmed) return;
    const input = { language: draftLanguage.peek() };
    const drafts = await withErrorMessage(owner.server.getLegalDrafts(input));
    if (drafts) onDraft(drafts[name]);
  };
  return (
    <div class="row">
      <button type="button" onClick={() => void start()}>
        {t('Start with a draft')}
      </button>
      <select
        aria-label={t('Language of the draft')}
        value={draftLanguage.value}
        onChange={({ currentTarget }) =>
          (draftLanguage.value = currentTarget.value as typeof language)
        }
      >
        {LANGUAGE_OPTIONS.map(([tag, label]) => (
          <option key={tag} value={tag} lang={tag}>
            {label}
          </option>
        ))}
      </select>
      <p class="hint">{t('A start, not legal advice.')}</p>
    </div>
  );
}

function confirmGaps(gaps: readonly string[]): Promise<boolean> {
  return confirm({
    title: t('Publish with gaps?'),
    text: t('Not filled in yet: {places}.', { places: formatList(gaps) }),
    action: t('Publish anyway'),
    // After the dialog has returned the focus.
    alternative: { label: t('Fill them in'), run: () => setTimeout(selectNextGap) },
  });
}

function withScheme(url: string): string {
  return url !== '' && !/^[a-z][a-z+.-]*:/i.test(url) ? `https://${url}` : url;
}

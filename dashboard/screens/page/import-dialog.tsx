import { signal, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Block } from '#contract/block.ts';
import { IMPORT_HOSTS } from '#contract/shared/import-hosts.ts';
import { type ResponseOf, owner } from '#dashboard/api/api.ts';
import { showDialog } from '#dashboard/components/dialog.tsx';
import { BoundField } from '#dashboard/components/field.tsx';
import { Form } from '#dashboard/components/form.tsx';
import { t } from '#dashboard/translate.ts';
import { remainingBlocks, draftBlocks, scrollToBlocks, showUndo } from './block-actions.ts';
import { draft } from './current-draft.ts';
import { summaryOf, titleOfKind } from './kinds.ts';
import { withImported } from './prefill.ts';
import type { Site } from './site.ts';
import { MAX_ADDRESS_LENGTH } from './web-address.ts';

const IMPORT_HOSTS_LIST = new Intl.ListFormat(t.locale, { type: 'disjunction' }).format(
  IMPORT_HOSTS,
);

type ImportedPage = ResponseOf<typeof owner.page.importPage>;
type ProfileField = 'display_name' | 'bio' | 'avatar_url';

const PROFILE_FIELDS = [
  ['display_name', t('profile|Title')],
  ['bio', t('Bio')],
  ['avatar_url', t('Picture')],
] as const;

export function openImport(): void {
  const importedPage = signal<ImportedPage | undefined>(undefined);
  void showDialog(t('Import from another page'), (close) =>
    importedPage.value ? (
      <SelectionForm
        importedPage={importedPage.value}
        onBack={() => (importedPage.value = undefined)}
        onDone={close}
      />
    ) : (
      <SourceForm onFound={(page) => (importedPage.value = page)} onCancel={close} />
    ),
  );
}

function SourceForm({
  onFound,
  onCancel,
}: {
  onFound: (page: ImportedPage) => void;
  onCancel: () => void;
}) {
  const url = useSignal('');
  const source = useSignal('');
  const usesSource = useSignal(false);
  const status = useSignal('');
  const read = async (request: Promise<ImportedPage>) => {
    status.value = t('Reading the page…');
    try {
      const page = await request;
      const isEmpty =
        page.blocks.length === 0 && PROFILE_FIELDS.every(([name]) => page[name] === null);
      status.value = isEmpty ? t('We found nothing to import on this page.') : '';
      if (!isEmpty) onFound(page);
    } catch (error) {
      status.value = '';
      throw error;
    }
  };
  // Without lone surrogates and NUL, because the server rejects both in JSON strings.
  const importPageText = () =>
    read(owner.page.importPageText({ source: source.value.toWellFormed().replaceAll('\0', '') }));
  const readUrl = () => read(owner.page.importPage({ url: url.value }));
  return (
    <Form
      key={usesSource.value}
      fields={[usesSource.value ? 'source' : 'page_url']}
      submitLabel={t('Find links')}
      onSubmit={usesSource.value ? importPageText : readUrl}
      onCancel={onCancel}
    >
      {usesSource.value ? (
        <BoundField
          signal={source}
          name="source"
          label={t('Page source')}
          hint={t(
            'For LinkStack, LittleLink and any other page: open it on a computer, press Ctrl+U, copy everything and paste it here. A list of links also works.',
          )}
          rows={5}
          spellcheck={false}
        />
      ) : (
        <BoundField
          signal={url}
          name="page_url"
          type="url"
          label={t('Address of your page')}
          placeholder={t('linktr.ee/yourname')}
          hint={t('A page at {hosts}.', { hosts: IMPORT_HOSTS_LIST })}
          maxLength={MAX_ADDRESS_LENGTH}
        />
      )}
      <button type="button" class="link" onClick={() => (usesSource.value = !usesSource.value)}>
        {usesSource.value ? t('Enter the address instead') : t('Paste the page source instead')}
      </button>
      <p role="status" class={status.value ? 'muted' : 'visually-hidden'}>
        {status.value}
      </p>
    </Form>
  );
}

function useSelection(importedPage: ImportedPage) {
  const site = draft.site.peek()!;
  const details = PROFILE_FIELDS.filter(
    ([name]) => importedPage[name] !== null && importedPage[name] !== site[name],
  );
  // Details that would replace existing ones are not selected at first.
  const deselected = useSignal<readonly string[]>(
    details.map(([name]) => name).filter((name) => site[name]),
  );
  const isSelected = (key: string) => !deselected.value.includes(key);
  const importedBlocks = importedPage.blocks as Block[];
  const blocks = importedBlocks.filter(({ id }) => isSelected(id));
  const selectedDetails = details.filter(([name]) => isSelected(name));
  const count = blocks.length + selectedDetails.length;
  const add = (onDone: () => void) => {
    const newDetails = selectedDetails.map(([name]) => [name, importedPage[name]]);
    const changed = withImported(site, Object.fromEntries(newDetails), blocks);
    addToDraft(`import ${importedPage.blocks[0]?.id ?? ''}`, changed, count, onDone);
  };
  const toggle = (key: string, isOn: boolean) => {
    const others = deselected.peek().filter((other) => other !== key);
    deselected.value = isOn ? others : [...others, key];
  };
  return { site, details, importedBlocks, blocks, count, isSelected, toggle, add };
}

/** Lists the imported details and blocks. Only the selected ones are added to the draft. */
function SelectionForm({
  importedPage,
  onBack,
  onDone,
}: {
  importedPage: ImportedPage;
  onBack: () => void;
  onDone: () => void;
}) {
  const list = useRef<HTMLUListElement>(null);
  // Move the focus, because the submit button that had it no longer exists.
  useEffect(() => list.current!.querySelector('input')!.focus(), []);
  const { site, details, importedBlocks, blocks, count, isSelected, toggle, add } =
    useSelection(importedPage);
  return (
    <>
      <p class="muted" role="status">
        {t('Choose what to put on your page.')}
      </p>
      <ul ref={list} class="row-list found">
        {details.map(([name, label]) => (
          <Item
            key={name}
            label={label}
            isSelected={isSelected(name)}
            onToggle={(isOn) => toggle(name, isOn)}
          >
            <span class="import-value clamped">{importedPage[name]}</span>
            <small>{profileFieldNote(name, importedPage[name]!, site[name])}</small>
          </Item>
        ))}
        {importedBlocks.map((block) => (
          <Item
            key={block.id}
            label={titleOfKind(block.type)}
            isSelected={isSelected(block.id)}
            onToggle={(isOn) => toggle(block.id, isOn)}
          >
            <span class="import-value clamped">{summaryOf(block)}</span>
            {block.url && block.url !== summaryOf(block) && <small>{block.url}</small>}
          </Item>
        ))}
      </ul>
      {blocks.length > remainingBlocks.value && (
        <p class="error" role="alert">
          {t('Your page has room for {count, plural, one {# more block} other {# more blocks}}.', {
            count: remainingBlocks.value,
          })}
        </p>
      )}
      <div class="actions">
        <button type="button" class="quiet" onClick={onBack}>
          {t('Back')}
        </button>
        <button
          type="button"
          class="primary"
          disabled={count === 0 || blocks.length > remainingBlocks.value}
          onClick={() => add(onDone)}
        >
          {t('Add {count} to my page', { count })}
        </button>
      </div>
    </>
  );
}

function addToDraft(change: string, changed: Site, count: number, onDone: () => void): void {
  const at = draftBlocks.peek().length;
  draft.change(change, changed);
  onDone();
  if (draftBlocks.peek().length > at) scrollToBlocks(at);
  showUndo(t('{count, plural, one {# item} other {# items}} added. Save to keep them.', { count }));
}

function Item({
  label,
  isSelected,
  onToggle,
  children,
}: {
  label: string;
  isSelected: boolean;
  onToggle: (isSelected: boolean) => void;
  children: ComponentChildren;
}) {
  return (
    <li>
      <label class="choice">
        <input
          type="checkbox"
          checked={isSelected}
          onChange={(event) => onToggle(event.currentTarget.checked)}
        />
        <span>
          <small>{label}</small>
          {children}
        </span>
      </label>
    </li>
  );
}

function profileFieldNote(name: ProfileField, value: string, current: string | null): string {
  if (current)
    return name === 'avatar_url'
      ? t('Replaces your picture')
      : t('Replaces “{current}”', { current });
  if (name !== 'avatar_url') return '';
  return t('Visitors load it from {host}. You can upload your own picture later.', {
    host: new URL(value).host,
  });
}

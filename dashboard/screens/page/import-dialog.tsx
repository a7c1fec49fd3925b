import { signal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Block } from '#contract/block.ts';
import { type ResponseOf, owner } from '#dashboard/api/api.ts';
import { showDialog } from '#dashboard/components/dialog.tsx';
import { BoundField } from '#dashboard/components/field.tsx';
import { Form } from '#dashboard/components/form.tsx';
import { t } from '#dashboard/translate.ts';
import { remainingBlocks, draftBlocks, scrollToBlocks, showUndo } from './block-actions.ts';
import { draft } from './current-draft.ts';
import { summaryOf, titleOfKind } from './kinds.ts';

type ImportedPage = ResponseOf<typeof owner.page.importPage>;

const LEFT_OUT_REASONS: Readonly<Record<string, string>> = {
  old_page: t('Leads to the old page or its service'),
  not_supported: t('An address that your page cannot link to'),
  not_a_link: t('A text without a link'),
  too_many: t('More than a page can have'),
};

export function openImport(): void {
  const source = signal('');
  const found = signal<ImportedPage | undefined>(undefined);
  void showDialog(t('Import from another page'), (close) =>
    found.value && found.value.blocks.length > 0 ? (
      <SelectionForm page={found.value} onBack={() => (found.value = undefined)} onDone={close} />
    ) : (
      <Form
        fields={['source']}
        submitLabel={t('Find links')}
        onSubmit={async () => {
          found.value = undefined;
          // The server rejects lone surrogates and NUL in JSON strings.
          const text = source.value.toWellFormed().replaceAll('\0', '');
          found.value = await owner.page.importPage({ source: text });
        }}
        onCancel={close}
      >
        <BoundField
          signal={source}
          name="source"
          label={t('Source of your page, or a list of links')}
          hint={t('Open your page on a computer, press Ctrl+U, copy everything and paste it here.')}
          rows={5}
          spellcheck={false}
        />
        <p role="status" class={found.value ? undefined : 'visually-hidden'}>
          {found.value && t('We found no links.')}
        </p>
        <LeftOut items={found.value?.left_out ?? []} />
      </Form>
    ),
  );
}

/** Only the selected blocks are added to the draft. */
function SelectionForm({
  page,
  onBack,
  onDone,
}: {
  page: ImportedPage;
  onBack: () => void;
  onDone: () => void;
}) {
  const list = useRef<HTMLUListElement>(null);
  // Move the focus, because the submit button that had it no longer exists.
  useEffect(() => list.current!.querySelector('input')!.focus(), []);
  const blocks = page.blocks as Block[];
  const selected = useSignal<ReadonlySet<Block>>(new Set(blocks));
  const { size: count } = selected.value;
  const hasRoom = count <= remainingBlocks.value;
  const add = async () => {
    const current = draftBlocks.peek();
    const added = blocks.filter((block) => selected.peek().has(block));
    draft.change(`import ${blocks[0]!.id}`, { blocks: [...current, ...added] });
    onDone();
    scrollToBlocks(current.length);
    showUndo(
      t('{count, plural, one {# item} other {# items}} added. Save to keep them.', { count }),
    );
  };
  return (
    <Form
      submitLabel={t('Add {count} to my page', { count })}
      isDisabled={count === 0 || !hasRoom}
      onSubmit={add}
      onCancel={onBack}
      cancelLabel={t('Back')}
    >
      <ul ref={list} class="row-list found">
        {blocks.map((block) => (
          <li key={block.id}>
            <label class="choice">
              <input
                type="checkbox"
                checked={selected.value.has(block)}
                onChange={() =>
                  (selected.value = selected.value.symmetricDifference(new Set([block])))
                }
              />
              <span>
                <small>
                  {block.enabled ? titleOfKind(block.type) : t('Hidden there, and stays hidden')}
                </small>
                <span class="import-value clamped">{summaryOf(block)}</span>
                {block.url && block.url !== summaryOf(block) && <small>{block.url}</small>}
              </span>
            </label>
          </li>
        ))}
      </ul>
      <LeftOut items={page.left_out} />
      {!hasRoom && (
        <p class="error" role="alert">
          {t('Your page has room for {count, plural, one {# more block} other {# more blocks}}.', {
            count: remainingBlocks.value,
          })}
        </p>
      )}
    </Form>
  );
}

function LeftOut({ items }: { items: ImportedPage['left_out'] }) {
  return (
    items.length > 0 && (
      <details class="left-out">
        <summary>{t('Left out: {count}', { count: items.length })}</summary>
        <ul class="row-list found">
          {items.map(({ reason, title, url }, index) => (
            <li key={index}>
              <small>{LEFT_OUT_REASONS[reason]}</small>
              <span class="import-value clamped">{title || url}</span>
              {title && url && <small>{url}</small>}
            </li>
          ))}
        </ul>
      </details>
    )
  );
}

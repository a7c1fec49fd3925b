import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { t } from '#dashboard/translate.ts';
import { draft } from './current-draft.ts';
import type { Block } from './site.ts';

export function JsonForm({ block }: { block: Block }) {
  const id = useId();
  const { id: blockId, enabled, ...content } = block;
  const text = useSignal(JSON.stringify(content, null, 2));
  const error = useSignal('');
  const onInput = (value: string) => {
    text.value = value;
    try {
      const parsed: unknown = JSON.parse(value);
      if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
        throw new Error(t('The block must be a JSON object.'));
      error.value = '';
      const blocks = draft.site
        .peek()!
        .blocks.map((current) =>
          current.id === blockId ? ({ ...parsed, id: blockId, enabled } as Block) : current,
        );
      draft.change(`${blockId} json`, { blocks });
    } catch (cause) {
      error.value = (cause as Error).message;
    }
  };
  return (
    <div class="field">
      <label for={id}>{t('Block as JSON')}</label>
      <textarea
        id={id}
        class="json"
        rows={Math.min(20, text.value.split('\n').length + 1)}
        spellcheck={false}
        value={text.value}
        aria-invalid={error.value ? true : undefined}
        aria-describedby={`${id}-hint`}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      <p id={`${id}-hint`} class={error.value ? 'error' : 'hint'}>
        {error.value || t('For unknown types, the page shows title, content and url.')}
      </p>
    </div>
  );
}

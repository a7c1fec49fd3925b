import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { draft } from './current-draft.ts';
import type { Block } from './site.ts';

/** A block as JSON, for kinds that pages show as a plain card and for fields of one's own. */
export function JsonForm({ block }: { block: Block }) {
  const id = useId();
  const { id: blockId, enabled, ...rest } = block;
  const typed = useSignal(JSON.stringify(rest, null, 2));
  const problem = useSignal('');
  const take = (text: string) => {
    typed.value = text;
    try {
      const parsed: unknown = JSON.parse(text);
      if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
        throw new Error('It must be an object.');
      problem.value = '';
      const blocks = draft.site
        .peek()!
        .blocks.map((other) =>
          other.id === blockId ? ({ ...parsed, id: blockId, enabled } as Block) : other,
        );
      draft.change(`${blockId} json`, { blocks });
    } catch (error) {
      problem.value = (error as Error).message;
    }
  };
  return (
    <div class="field">
      <label for={id}>Block as JSON</label>
      <textarea
        id={id}
        class="json"
        rows={Math.min(20, typed.value.split('\n').length + 1)}
        spellcheck={false}
        value={typed.value}
        aria-invalid={problem.value ? true : undefined}
        aria-describedby={`${id}-hint`}
        onInput={(event) => take(event.currentTarget.value)}
      />
      <p id={`${id}-hint`} class={problem.value ? 'error' : 'hint'}>
        {problem.value || 'Of unknown kinds, the page shows title, content and url.'}
      </p>
    </div>
  );
}

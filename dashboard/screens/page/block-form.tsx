import { blockDefinition } from '../../../contract/blocks.ts';
import { FieldInput } from './block-field.tsx';
import { draft } from './current-draft.ts';
import { JsonForm } from './json-form.tsx';
import type { Block } from './site.ts';

/** The form of a block: an input for each field of its kind; JSON for a kind that pages do not know. */
export function BlockForm({ block }: { block: Block }) {
  const fields = Object.entries(blockDefinition(block.type)?.fields ?? {});
  if (!blockDefinition(block.type)) return <JsonForm block={block} />;
  if (fields.length === 0) return <p class="muted">There is nothing to fill in.</p>;
  return (
    <div class="fields">
      {fields.map(([name, field]) => (
        <FieldInput
          key={name}
          path={block.id}
          name={name}
          field={field}
          label={field.label}
          holder={block}
          onChange={(changes) => draft.changeBlock(block.id, Object.keys(changes).join(), changes)}
        />
      ))}
    </div>
  );
}

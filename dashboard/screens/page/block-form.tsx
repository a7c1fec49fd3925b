import type { BlockField } from '#contract/blocks.ts';
import { blockDefinition } from '#contract/blocks.ts';
import { Segments } from '#dashboard/parts/segments.tsx';
import { FieldInput } from './block-field.tsx';
import { draft } from './current-draft.ts';
import { JsonForm } from './json-form.tsx';
import type { Block } from './site.ts';

/** Fields that few need; they are behind "More options" until one of them is filled in. */
const ADVANCED_FIELDS = new Set(['from', 'until', 'me', 'width', 'height', 'link', 'language']);

/** Flags that are one choice of a size. */
const SIZE_FLAGS = ['half', 'featured'] as const;

/** The form of a block: an input for each field of its kind; JSON for a kind that pages do not know. */
export function BlockForm({ block }: { block: Block }) {
  const definition = blockDefinition(block.type);
  if (!definition) return <JsonForm block={block} />;
  const fields = Object.entries(definition.fields);
  if (fields.length === 0) return <p class="muted">There is nothing to fill in.</p>;
  const hasSizes = SIZE_FLAGS.every((name) => name in definition.fields);
  const inputs = fields.filter(([name]) => !(hasSizes && isSizeFlag(name)));
  const later = inputs.filter(([name, { required }]) => ADVANCED_FIELDS.has(name) && !required);
  const isUsed = later.some(([name]) => block[name] !== undefined);
  const inputOf = ([name, field]: [string, BlockField]) => (
    <FieldInput
      key={name}
      path={block.id}
      name={name}
      field={field}
      label={field.label}
      values={block}
      onChange={(changes) => draft.changeBlock(block.id, Object.keys(changes).join(), changes)}
    />
  );
  return (
    <>
      <div class="fields">
        {inputs.filter((entry) => !later.includes(entry)).map(inputOf)}
        {hasSizes && <SizeInput block={block} />}
      </div>
      {later.length > 0 && (
        <details class="later" open={isUsed}>
          <summary>More options</summary>
          <div class="fields">{later.map(inputOf)}</div>
        </details>
      )}
    </>
  );
}

function isSizeFlag(name: string): name is (typeof SIZE_FLAGS)[number] {
  return SIZE_FLAGS.some((size) => size === name);
}

/** How much room a block takes on the page. */
function SizeInput({ block }: { block: Block }) {
  const value = SIZE_FLAGS.find((name) => block[name] === true) ?? 'full';
  return (
    <div class="field">
      <span class="label">Size</span>
      <Segments
        label="Size"
        value={value}
        options={[
          ['half', 'Half'],
          ['full', 'Full'],
          ['featured', 'Featured'],
        ]}
        onValue={(size) =>
          draft.changeBlock(block.id, 'size', {
            half: size === 'half' || undefined,
            featured: size === 'featured' || undefined,
          })
        }
      />
    </div>
  );
}

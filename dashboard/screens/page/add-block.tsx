import { useSignal } from '@preact/signals';
import { BLOCKS } from '../../../contract/blocks.ts';
import { newBlock } from './kinds.ts';

/** Adds a block of a kind; another kind than pages know is written as JSON. */
export function AddBlock({
  isFull,
  onAdd,
}: {
  /** Whether the page has as many blocks as it can have. */
  isFull: boolean;
  onAdd: (block: { type: string }) => void;
}) {
  const type = useSignal('link');
  return (
    <div class="add">
      <select
        aria-label="Kind of block"
        value={type.value}
        onChange={(event) => (type.value = event.currentTarget.value)}
      >
        {Object.entries(BLOCKS).map(([name, { label }]) => (
          <option key={name} value={name}>
            {label}
          </option>
        ))}
        <option value="other">Other (JSON)</option>
      </select>
      <button type="button" disabled={isFull} onClick={() => onAdd(newBlock(type.value))}>
        Add block
      </button>
    </div>
  );
}

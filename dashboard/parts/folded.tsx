import { useSignal } from '@preact/signals';

const MOST = 240;

/** A text as it is; of a long one its beginning, until one asks for the rest. */
export function Folded({ text }: { text: string }) {
  const isOpen = useSignal(false);
  if (text.length <= MOST) return <code>{text}</code>;
  return (
    <>
      <code>{isOpen.value ? text : `${text.slice(0, MOST)}…`}</code>{' '}
      <button
        type="button"
        class="link"
        aria-expanded={isOpen.value}
        onClick={() => (isOpen.value = !isOpen.value)}
      >
        {isOpen.value ? 'Show less' : 'Show all'}
      </button>
    </>
  );
}

import type { RefObject } from 'preact';

/** Hidden: a button opens it with `click()`. */
export function FileInput({
  inputRef,
  onFile,
  ...attributes
}: {
  inputRef: RefObject<HTMLInputElement | null>;
  onFile: (file: File) => void;
  accept: string;
  name?: string;
  'aria-label'?: string;
}) {
  return (
    <input
      ref={inputRef}
      type="file"
      hidden
      {...attributes}
      onChange={({ currentTarget }) => {
        const [file] = currentTarget.files ?? [];
        if (file) onFile(file);
        // Otherwise choosing the same file again would not fire `change`.
        currentTarget.value = '';
      }}
    />
  );
}

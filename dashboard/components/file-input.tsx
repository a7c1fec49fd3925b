import type { RefObject } from 'preact';

/** Hidden: a button opens it with `click()`. */
export function FileInput({
  inputRef,
  onFile,
  ...attributes
}: {
  inputRef: RefObject<HTMLInputElement | null>;
  /** Gets all chosen files, too, if there may be several. */
  onFile: (file: File, files: File[]) => void;
  accept: string;
  multiple?: boolean;
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
        const files = [...(currentTarget.files ?? [])];
        if (files[0]) onFile(files[0], files);
        // Otherwise choosing the same file again would not fire `change`.
        currentTarget.value = '';
      }}
    />
  );
}

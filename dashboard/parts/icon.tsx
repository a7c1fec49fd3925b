/** A picture of lines, which says nothing that is not written beside it. */
export function Icon({ lines }: { lines: string }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d={lines} />
    </svg>
  );
}

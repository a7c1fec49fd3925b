/** A picture of lines, drawn in a square of 16, which says nothing that is not written beside it. */
export function Icon({ lines }: { lines: string }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" width="18" height="18" aria-hidden="true">
      <path d={lines} />
    </svg>
  );
}

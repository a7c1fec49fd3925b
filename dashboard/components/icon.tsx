/** A decorative icon. Its SVG path is drawn in a square of 16. */
export function Icon({ path }: { path: string }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" width="18" height="18" aria-hidden="true">
      <path d={path} />
    </svg>
  );
}

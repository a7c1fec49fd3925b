/** A decorative icon. `path` is an SVG path in a 16 by 16 view box. */
export function Icon({ path }: { path: string }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" width="18" height="18" aria-hidden="true">
      <path d={path} />
    </svg>
  );
}

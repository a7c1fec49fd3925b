export function ShowMore({ onMore }: { onMore: (() => void) | undefined }) {
  if (!onMore) return null;
  return (
    <div class="actions">
      <button type="button" onClick={onMore}>
        Show more
      </button>
    </div>
  );
}

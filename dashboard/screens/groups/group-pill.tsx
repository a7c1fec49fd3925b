import './groups.css';

export function GroupPill({ name, color }: { name: string; color: string }) {
  return (
    <span class="pill group-pill">
      <GroupDot color={color} />
      <span class="ellipsis">{name}</span>
    </span>
  );
}

export function GroupDot({ color }: { color: string }) {
  return <span class={`group-dot ${color}`} aria-hidden="true" />;
}

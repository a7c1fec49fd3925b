import './meter.css';

/** A bar of the parts of a total, hidden from screen readers unless it has a label. */
export function Meter({
  parts,
  total,
  label,
}: {
  parts: readonly number[];
  total: number;
  label?: string;
}) {
  const progress = { 'aria-label': label, 'aria-valuenow': parts[0], 'aria-valuemax': total };
  return (
    <div
      class="meter"
      {...(label === undefined
        ? { 'aria-hidden': true }
        : { role: 'progressbar' as const, ...progress })}
    >
      {parts.map((part, index) => (
        <i key={index} style={{ width: `${Math.min(1, part / total) * 100}%` }} />
      ))}
    </div>
  );
}

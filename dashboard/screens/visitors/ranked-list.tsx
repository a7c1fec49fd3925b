import type { ComponentChildren } from 'preact';
import { formatCount, formatShare } from './format-count.ts';

export interface RankedEntry {
  key: string;
  icon: ComponentChildren;
  name: ComponentChildren;
  count: number;
}

export function RankedList({
  title,
  unit,
  total,
  entries,
  emptyText,
  children,
}: {
  title: string;
  unit: string;
  /** Bars and percentages are shares of it. */
  total: number;
  entries: readonly RankedEntry[];
  emptyText: ComponentChildren;
  children?: ComponentChildren;
}) {
  return (
    <section class="card">
      <div class="card-head">
        <h2>{title}</h2>
        {entries.length > 0 && <span class="hint">{unit}</span>}
      </div>
      {entries.length === 0 ? (
        <p class="muted">{emptyText}</p>
      ) : (
        <ul class="rank">
          {entries.map(({ key, icon, name, count }) => {
            const share = Math.min(1, count / total);
            return (
              <li key={key}>
                <span class="rank-icon" aria-hidden="true">
                  {icon}
                </span>
                <span class="rank-name" title={typeof name === 'string' ? name : undefined}>
                  {name}
                </span>
                <svg class="rank-bar" aria-hidden="true">
                  <rect class="track" width="100%" height="6" rx="3" />
                  <rect width={`${Math.max(2, share * 100)}%`} height="6" rx="3" />
                </svg>
                <span class="rank-count">{formatCount(count)}</span>
                <span class="rank-share">{formatShare(share)}</span>
              </li>
            );
          })}
        </ul>
      )}
      {children}
    </section>
  );
}

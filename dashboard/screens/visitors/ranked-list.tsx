import type { ComponentChildren } from 'preact';
import { formatCount } from './format-count.ts';

/** An entry of a list. */
export interface RankedEntry {
  key: string;
  /** Icon or letter before the words. */
  sign: ComponentChildren;
  name: ComponentChildren;
  count: number;
}

/** A list of what there was most of, each with a bar as long as its part of the first one. */
export function RankedList({
  title,
  unit,
  entries,
  nothing,
  children,
}: {
  title: string;
  /** The word above the numbers. */
  unit: string;
  entries: readonly RankedEntry[];
  /** A sentence in the place of an empty list. */
  nothing: ComponentChildren;
  children?: ComponentChildren;
}) {
  const maxCount = Math.max(...entries.map(({ count }) => count));
  return (
    <section class="card">
      <div class="card-head">
        <h2>{title}</h2>
        {entries.length > 0 && <span class="hint">{unit}</span>}
      </div>
      {entries.length === 0 ? (
        <p class="muted">{nothing}</p>
      ) : (
        <ul class="rank">
          {entries.map(({ key, sign, name, count }) => (
            <li key={key}>
              <span class="rank-sign" aria-hidden="true">
                {sign}
              </span>
              <span class="rank-name">{name}</span>
              <svg class="rank-bar" aria-hidden="true">
                <rect class="rest" width="100%" height="6" rx="3" />
                <rect width={`${Math.max(2, (count / maxCount) * 100)}%`} height="6" rx="3" />
              </svg>
              <span class="rank-count">{formatCount(count)}</span>
            </li>
          ))}
        </ul>
      )}
      {children}
    </section>
  );
}

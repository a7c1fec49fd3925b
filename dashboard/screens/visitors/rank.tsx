import type { ComponentChildren } from 'preact';
import { countWords } from './count-words.ts';

/** An entry of a list. */
export interface Ranked {
  key: string;
  /** Icon or letter before the words. */
  sign: ComponentChildren;
  name: ComponentChildren;
  count: number;
}

/** A list of what there was most of, each with a bar as long as its part of the first one. */
export function Rank({
  title,
  unit,
  entries,
  nothing,
  children,
}: {
  title: string;
  /** The word above the numbers. */
  unit: string;
  entries: readonly Ranked[];
  /** A sentence in the place of an empty list. */
  nothing: ComponentChildren;
  children?: ComponentChildren;
}) {
  const most = Math.max(...entries.map(({ count }) => count));
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
                <rect width={`${Math.max(2, (count / most) * 100)}%`} height="6" rx="3" />
              </svg>
              <span class="rank-count">{countWords(count)}</span>
            </li>
          ))}
        </ul>
      )}
      {children}
    </section>
  );
}

import type { ComponentChildren } from 'preact';
import { DAY_MS } from '#contract/shared/durations.ts';
import { t } from '#dashboard/translate.ts';
import './no-visits.css';

const weekdayFormat = new Intl.DateTimeFormat(t.locale, { weekday: 'short', timeZone: 'UTC' });

/** Pixels. */
const GHOST_HEIGHTS = [28, 44, 36, 56, 48, 72];

/** A low card in place of a chart without visits. */
export function NoVisits({
  text: [title, text],
  children,
}: {
  text: readonly [title: string, text: string];
  children?: ComponentChildren;
}) {
  return (
    <section class="card no-visits" aria-label={title}>
      <div>
        <h2>{title}</h2>
        <p class="muted">{text}</p>
        {children}
      </div>
      <div class="no-visits-days" aria-hidden="true">
        {GHOST_HEIGHTS.map((height, index) => (
          <span key={height} style={{ '--height': `${height}px` }}>
            {weekdayFormat.format(Date.now() - (GHOST_HEIGHTS.length - index) * DAY_MS)}
          </span>
        ))}
        <span>{t('Today')}</span>
      </div>
    </section>
  );
}

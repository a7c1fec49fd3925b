import type { ComponentChildren } from 'preact';
import { DAY_MS } from '#contract/shared/durations.ts';
import { t } from '#dashboard/translate.ts';
import './no-visits.css';

const weekdayFormat = new Intl.DateTimeFormat(t.locale, { weekday: 'short', timeZone: 'UTC' });

/** Of the days before today, in pixels. */
const EXAMPLE_BAR_HEIGHTS = [28, 44, 36, 56, 48, 72];

export function NoVisits({
  title,
  text,
  children,
}: {
  title: string;
  text: string;
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
        {EXAMPLE_BAR_HEIGHTS.map((height, index) => (
          <span key={height} style={{ '--height': `${height}px` }}>
            {weekdayFormat.format(Date.now() - (EXAMPLE_BAR_HEIGHTS.length - index) * DAY_MS)}
          </span>
        ))}
        <span>{t('Today')}</span>
      </div>
    </section>
  );
}

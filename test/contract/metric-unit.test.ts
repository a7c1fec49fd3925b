import { describe, expect, it } from 'vitest';
import { describeCondition, formatAlertValue } from '#contract/shared/alert-text.ts';
import { metricFormat, metricUnit, usualAggregate } from '#contract/shared/metric-unit.ts';
import { translatorFor } from '#server/platform/text/language.ts';

it.each([
  [['latency_ms'], 'ms'],
  [['order', 'total_eur'], 'eur'],
  [['sales', 'eur'], 'eur'],
  [['eur'], undefined],
  [['items'], undefined],
  [['terms'], undefined],
  [['the_constructor'], undefined],
  [[], undefined],
])('the unit of %j is %s', (path, unit) => {
  expect(metricUnit({ path, aggregate: 'sum' })).toBe(unit);
});

it('the unit of a measure is missing for counts', () => {
  expect(metricUnit({ path: ['latency_ms'], aggregate: 'count' })).toBeUndefined();
  expect(metricUnit({ path: ['latency_ms'], aggregate: 'distinct' })).toBeUndefined();
});

it.each([
  ['latency_ms', 'avg'],
  ['total_eur', 'sum'],
  ['sent_bytes', 'sum'],
  ['items', 'sum'],
])('the usual aggregate of %s is %s', (field, aggregate) => {
  expect(usualAggregate([field])).toBe(aggregate);
});

it.each([
  ['items', 1_234_567.891, '1,234,567.89', '1.234.567,89'],
  ['items', 5, '5', '5'],
  ['latency_ms', 1_234, '1,234 ms', '1.234 ms'],
  ['uptime_seconds', 12.5, '12.5 sec', '12,5 Sek.'],
  ['used_percent', 41.256, '41.26%', '41,26 %'],
  ['room_celsius', -3.5, '-3.5°C', '-3,5 °C'],
  ['total_eur', 1_284.5, '€1,284.50', '1.284,50 €'],
  ['total_usd', 1_200, '$1,200', '1.200 $'],
  ['disk_bytes', 12_345_678, '12.35 MB', '12,35 MB'],
  ['disk_bytes', 0, '0 byte', '0 Byte'],
  ['disk_bytes', 0.5, '0.5 byte', '0,5 Byte'],
  ['disk_bytes', -2e18, '-2,000,000 TB', '-2.000.000 TB'],
])('a formatted value of %s: %d', (field, value, english, german) => {
  const measure = { path: [field], aggregate: 'sum' };
  // ICU separates German units with no-break spaces.
  const plain = (text: string) => text.replaceAll(/\s/g, ' ');
  expect(plain(metricFormat(measure, 'en')(value))).toBe(english);
  expect(plain(metricFormat(measure, 'de')(value))).toBe(german);
});

it('a formatted value can be compact', () => {
  const options = { notation: 'compact', maximumSignificantDigits: 3 } as const;
  expect(metricFormat({ path: ['total_eur'] }, 'en', options)(40_000)).toBe('€40K');
  expect(metricFormat({ path: ['latency_ms'] }, 'en', options)(40_000)).toBe('40K ms');
});

describe('an alert', () => {
  const condition = { path: ['latency_ms'], minutes: 60, comparison: 'above' } as const;

  it('names its threshold and value with the unit', () => {
    const t = translatorFor('en');
    const average = { ...condition, aggregate: 'avg', threshold: 1_500 } as const;
    expect(describeCondition(average, t)).toBe(
      'Average of latency_ms in the last hour is above 1,500 ms',
    );
    expect(formatAlertValue(0.125, average, t)).toBe('0.125 ms');
  });

  it('counts without a unit', () => {
    const count = { ...condition, aggregate: 'count', threshold: 3 } as const;
    expect(describeCondition(count, translatorFor('en'))).toBe(
      'Count of latency_ms in the last hour is above 3',
    );
  });
});

import { readFile } from 'node:fs/promises';
import { parser } from '@prometheus-io/lezer-promql';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { METRICS_URL_PATTERN, readMetricNames } from '../support/prometheus.ts';
import { startServer } from '../support/server-process.ts';
import { useShared } from '../support/use-shared.ts';
import { createPostgresDatabase } from '../support/test-database.ts';

interface Rules {
  groups: { rules: { alert: string; expr: string }[] }[];
}

interface Dashboard {
  panels: { targets: { expr: string }[] }[];
}

const [rules, dashboard, page] = (await Promise.all(
  ['monitoring/alerts.yaml', 'monitoring/grafana.json', 'monitoring.md'].map((file) =>
    readFile(new URL(`../../docs/${file}`, import.meta.url), 'utf8'),
  ),
)) as [string, string, string];
const alerts = (parse(rules) as Rules).groups.flatMap((group) => group.rules);
const panels = (JSON.parse(dashboard) as Dashboard).panels.flatMap(({ targets }) => targets);

/** Metrics in a PromQL expression. Throws on a syntax error. */
function metricsOf({ expr }: { expr: string }): string[] {
  // A Grafana variable.
  const text = expr.replaceAll('$__rate_interval', '5m');
  const names: string[] = [];
  parser.parse(text).iterate({
    enter: ({ type, from, to }) => {
      if (type.isError) throw new Error(`no PromQL from ${from} on: ${text}`);
      if (type.name === 'Identifier') names.push(text.slice(from, to));
    },
  });
  return names;
}

const namesOfServer = useShared(async (atEnd) => {
  const DATABASE_URL = await createPostgresDatabase('nameplate_template');
  const server = await startServer({ DATABASE_URL, PROMETHEUS_PORT: '0' }, atEnd);
  const [, url = ''] = await server.waitFor(METRICS_URL_PATTERN);
  return readMetricNames(url);
});

it('alerts and the Grafana dashboard use existing metrics, and the dashboard uses all of ours', () => {
  const there = namesOfServer();
  const shown = panels.flatMap(metricsOf);
  // Prometheus itself provides `up`.
  const named = [...alerts.flatMap(metricsOf), ...shown].filter((name) => name !== 'up');
  expect(named.length).toBeGreaterThan(alerts.length);
  expect(named.filter((name) => !there.has(name))).toEqual([]);
  const ours = [...there].filter(
    (name) => name.startsWith('nameplate_') && !/_(?:sum|count)$/.test(name),
  );
  expect(ours.filter((name) => !shown.includes(name))).toEqual([]);
});

it('the documentation lists all metrics and describes what to do for each alert', () => {
  const there = namesOfServer();
  const [, metrics = '', actions = ''] = page.split(/^## (?:Metrics|Alerts)$/m);
  const named = [...metrics.matchAll(/`(nameplate_\w+)`/g)].map(([, name]) => name!);
  expect(named.length).toBeGreaterThan(5);
  // Histograms are exposed as `_bucket` series.
  expect(named.filter((name) => !there.has(name) && !there.has(`${name}_bucket`))).toEqual([]);
  const documented = [...actions.matchAll(/^\| `(\w+)` +\| \S/gm)].map(([, alert]) => alert);
  expect(documented).toEqual(alerts.map(({ alert }) => alert));
});

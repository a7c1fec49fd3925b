import { readFile } from 'node:fs/promises';
import { parser } from '@prometheus-io/lezer-promql';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { METRICS_URL_PATTERN, readMetricNames } from '../support/prometheus.ts';
import { startServer } from '../support/server-process.ts';
import { createPostgresDatabase } from '../support/test-database.ts';
import { useShared } from '../support/use-shared.ts';

interface Rules {
  groups: { rules: { expr: string; annotations: Record<string, string> }[] }[];
}

interface Dashboard {
  panels: { targets: { expr: string }[] }[];
}

const [rules, dashboard, documentation] = (await Promise.all(
  ['deploy/monitoring/alerts.yaml', 'deploy/monitoring/grafana.json', 'docs/monitoring.md'].map(
    (file) => readFile(new URL(`../../${file}`, import.meta.url), 'utf8'),
  ),
)) as [string, string, string];
const alerts = (parse(rules) as Rules).groups.flatMap((group) => group.rules);
const panels = (JSON.parse(dashboard) as Dashboard).panels.flatMap(({ targets }) => targets);

/** Returns the metrics in a PromQL expression. Throws on a syntax error. */
function findMetricNames({ expr }: { expr: string }): string[] {
  // A Grafana variable.
  const text = expr.replaceAll('$__rate_interval', '5m');
  const names: string[] = [];
  parser.parse(text).iterate({
    enter: ({ type, from, to }) => {
      if (type.isError) throw new Error(`PromQL syntax error at ${from}: ${text}`);
      if (type.name === 'Identifier') names.push(text.slice(from, to));
    },
  });
  return names;
}

const exposedNames = useShared(async (onFinished) => {
  const DATABASE_URL = await createPostgresDatabase('nameplate_template');
  const server = await startServer({ DATABASE_URL, PROMETHEUS_PORT: '0' }, onFinished);
  const [, url = ''] = await server.waitFor(METRICS_URL_PATTERN);
  return readMetricNames(url);
});

it('alerts and the Grafana dashboard use existing metrics, and the dashboard shows all of Nameplate’s own', () => {
  const exposed = exposedNames();
  const dashboardNames = panels.flatMap(findMetricNames);
  // Prometheus itself provides `up`.
  const usedNames = [...alerts.flatMap(findMetricNames), ...dashboardNames].filter(
    (name) => name !== 'up',
  );
  expect(usedNames.length).toBeGreaterThan(alerts.length);
  expect(usedNames.filter((name) => !exposed.has(name))).toEqual([]);
  const ownNames = [...exposed].filter(
    (name) => name.startsWith('nameplate_') && !/_(?:sum|count)$/.test(name),
  );
  expect(ownNames.filter((name) => !dashboardNames.includes(name))).toEqual([]);
});

it('every alert says what happened and what to do', () => {
  for (const { annotations } of alerts)
    expect(annotations).toEqual({
      summary: expect.stringMatching(/\.$/) as string,
      description: expect.stringMatching(/\.$/) as string,
    });
});

it('the documentation lists existing metrics', () => {
  const exposed = exposedNames();
  const documentedNames = [...documentation.matchAll(/`(nameplate_\w+)`/g)].map(
    ([, name]) => name!,
  );
  expect(documentedNames.length).toBeGreaterThan(3);
  // Histograms are exposed as `_bucket` series.
  expect(
    documentedNames.filter((name) => !exposed.has(name) && !exposed.has(`${name}_bucket`)),
  ).toEqual([]);
});

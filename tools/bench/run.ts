import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { connectPostgres } from '#db/connections/postgres.ts';
import { startPostgresServer, createEmbeddedDatabase } from './bench-database.ts';
import { type Load, listLoads } from './loads.ts';
import { compareCpu, measure, type Measurement, medianByRate, readMemory } from './measure.ts';
import {
  type RunningServer,
  startServer,
  startService,
  stopProcess,
  stopAllProcesses,
} from './processes.ts';
import type { seedDatabase } from './seed.ts';

const HELP = `Usage: npm run bench -- [--private] [--seconds N] [--rounds N] [--only TEXT] ...

Measures the service and a minimal server (node:http and pg, one prepared statement per request)
alternately on one PostgreSQL server, and compares them. Also prints start times and idle memory.

  --private    use the embedded database in an empty data directory, like a first start without
               settings, instead of a PostgreSQL server
  --seconds N  duration of one measurement (default 4)
  --rounds N   measurements of each server (default 3)
  --only TEXT  only rows whose title matches this regular expression
  --keys N     number of other accounts (default 10000), used at random
  --fill       run fill.sql, and compare with the service on a database without its rows instead of
               the minimal server
  --against DIR
               compare with the Nameplate in this folder (another version, after \`npm ci\`) on a
               database of its own instead of the minimal server
`;

const { values } = parseArgs({
  options: {
    private: { type: 'boolean', default: false },
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '3' },
    only: { type: 'string', default: '' },
    keys: { type: 'string', default: '10000' },
    fill: { type: 'boolean', default: false },
    against: { type: 'string', default: '' },
    help: { type: 'boolean', default: false },
  },
});
if (values.fill && values.against) throw new Error('--fill and --against exclude each other');
if (values.help) {
  process.stdout.write(HELP);
  process.exit(0);
}
const [seconds, rounds, keys] = [values.seconds, values.rounds, values.keys].map(Number) as [
  number,
  number,
  number,
];
const titlePattern = new RegExp(values.only);
/** Lifts account limits, which would stop the benchmark. */
const SETTINGS = { TRUST_ACCOUNTS: 'true' };

const createDatabase = values.private ? createEmbeddedDatabase : startPostgresServer;
const database = await createDatabase();
const otherFolder = resolve(values.against);
const otherDatabase = values.fill || values.against ? await createDatabase() : undefined;
const cleanUp = async () => {
  await stopAllProcesses();
  await database.remove();
  await otherDatabase?.remove();
};
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void cleanUp().finally(() => process.exit(1)));
try {
  const settings = { ...SETTINGS, ...database.settings };
  // The first start creates the schema and fills Node's compile cache.
  const firstStart = await startService(settings);
  await stopProcess(firstStart.child);
  const service = await startService(settings);
  process.stdout.write(
    `first start until ready: ${firstStart.milliseconds} ms; on the existing database: ${service.milliseconds} ms\n` +
      `memory of the idle server: ${await readMemory(service.child)} MB\n`,
  );
  if (values.private)
    process.stdout.write(
      `memory of server and database: ${await database.describeMemory(service.child)}\n`,
    );
  const { url, seedData } = await seed(database, '.', values.fill);
  const baseline = otherDatabase
    ? await startService({ ...SETTINGS, ...otherDatabase.settings }, otherFolder)
    : await startServer(['tools/bench/baseline-server.ts', url, seedData.accountId], /^(http:\S+)/);
  const loads = listLoads(seedData);
  const baselineLoads = otherDatabase
    ? listLoads((await seed(otherDatabase, otherFolder, false)).seedData)
    : loads;
  const rows: Record<string, string | number>[] = [];
  const compare = async (load: Load, baselineLoad: Load) => {
    const { title, connections } = load;
    const runs: { service: Measurement[]; baseline: Measurement[] } = { service: [], baseline: [] };
    for (let round = 0; round <= rounds; round += 1)
      for (const [name, server, request, target] of [
        ['baseline', baseline, baselineLoad, otherDatabase ?? database],
        ['service', service, load, database],
      ] as const) {
        const measurement = await measure(server, request, seconds, target);
        if (round > 0) runs[name].push(measurement);
        process.stderr.write(`${title} ${connections} ${name} ${Math.round(measurement.rate)}/s\n`);
      }
    const [serviceMedian, baselineMedian] = [
      medianByRate(runs.service),
      medianByRate(runs.baseline),
    ];
    const ratio = Number((serviceMedian.rate / baselineMedian.rate).toFixed(2));
    const cpuRatio = Number(compareCpu(runs.service, runs.baseline).toFixed(2));
    const endpoint = { endpoint: title, connections };
    const ratios = { ratio, 'cpu ratio': cpuRatio };
    rows.push(
      { ...endpoint, server: 'baseline', ...(await toRow(baselineMedian, baseline)) },
      { ...endpoint, server: 'service', ...(await toRow(serviceMedian, service)), ...ratios },
    );
  };
  for (const [index, load] of loads.entries())
    if (titlePattern.test(load.title)) await compare(load, baselineLoads[index]!);
  if (rows.length > 0) console.table(rows);
  else {
    const titles = new Set(loads.map(({ title }) => title));
    process.stderr.write(`No row matches ${values.only}. Rows:\n  ${[...titles].join('\n  ')}\n`);
    process.exitCode = 1;
  }
} finally {
  await cleanUp();
}

/** Seeds the database with the code of the Nameplate in `folder`, which knows its tables. */
async function seed(target: typeof database, folder: string, fills: boolean) {
  const module = pathToFileURL(join(folder, 'tools/bench/seed.ts')).href;
  const code = (await import(module)) as { seedDatabase: typeof seedDatabase };
  const url = await target.getUrl();
  const db = connectPostgres({ connectionString: url, max: 1, onError: () => {} });
  const seedData = await code.seedDatabase(db, keys, fills);
  await db.destroy();
  return { url, seedData };
}

async function toRow({ rate, p50, p99, cpu, databaseCpu }: Measurement, { child }: RunningServer) {
  return {
    'requests/s': Math.round(rate),
    'p50 ms': p50,
    'p99 ms': p99,
    'cpu µs': Math.round(cpu),
    'database µs': Math.round(databaseCpu),
    'memory MB': await readMemory(child),
  };
}

import { parseArgs } from 'node:util';
import { connectPostgres } from '../db/connections/postgres.ts';
import { whenInterrupted } from './interrupted.ts';
import { loadsOf } from './loads.ts';
import { measure } from './measure.ts';
import { postgresServer } from './place.ts';
import { start, startService, stop, stopAll } from './processes.ts';
import { seed } from './seed.ts';

const HELP = `Usage: npm run bench:starts -- [--starts N] [--seconds N] [--only TEXT] [--flags TEXT] ...

Starts the service again and again, gives each start the same load, and prints the processor time of a
request in each, also as a multiple of what the floor server (see npm run bench) needs just before and
after. With several --flags the variants take turns.

  --starts N    starts of each variant (default 10)
  --seconds N   length of each load (default 4); one that warms up comes before
  --only TEXT   loads whose title matches this regular expression (default: names and metrics)
  --flags TEXT  options of Node in front of those of npm start, separated by spaces (default: none)
`;

const { values } = parseArgs({
  options: {
    starts: { type: 'string', default: '10' },
    seconds: { type: 'string', default: '4' },
    only: { type: 'string', default: '^/(account/get-display-name|stats/ingest-metrics)$' },
    flags: { type: 'string', multiple: true, default: [''] },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  process.stdout.write(HELP);
  process.exit(0);
}
const [starts, seconds] = [Number(values.starts), Number(values.seconds)];
const WARM_UP_S = 2;
const FLOOR_S = 2;
const only = new RegExp(values.only);

const place = await postgresServer();
const end = async () => {
  await stopAll();
  await place.remove();
};
whenInterrupted(end);
try {
  const settings = { ...place.settings, TRUST_ACCOUNTS: 'true' };
  await stop((await startService(settings, [])).child);
  const db = connectPostgres({ connectionString: await place.url(), max: 1, onError: () => {} });
  const seeded = await seed(db, { sites: 1, keys: 1 });
  await db.destroy();
  const loads = loadsOf(seeded, { sites: 1, tag: '' }).filter(
    ({ title, connections }) => only.test(title) && connections > 32,
  );
  const floor = await start(['bench/floor.ts', await place.url(), seeded.accountId], /^(http:\S+)/);
  const times = new Map<string, { cpu: number; multiple: number }[]>();
  for (let round = 0; round < starts; round += 1)
    for (const flags of values.flags) {
      const service = await startService(settings, flags.split(' ').filter(Boolean));
      for (const load of loads) {
        await measure(service, load, WARM_UP_S);
        const before = await measure(floor, load, FLOOR_S);
        const { cpu, p99 } = await measure(service, load, seconds);
        const after = await measure(floor, load, FLOOR_S);
        const multiple = (2 * cpu) / (before.cpu + after.cpu);
        const key = `${load.title} ${flags}`.trim();
        times.set(key, [...(times.get(key) ?? []), { cpu, multiple }]);
        process.stderr.write(
          `${key}: ${cpu.toFixed(1)} µs, ${multiple.toFixed(2)} floors, p99 ${p99} ms\n`,
        );
      }
      await stop(service.child);
    }
  console.table(
    [...times].flatMap(([variant, all]) => [
      { variant, unit: 'µs', ...spread(all.map(({ cpu }) => cpu)) },
      { variant, unit: 'floors', ...spread(all.map(({ multiple }) => multiple)) },
    ]),
  );
} finally {
  await end();
}

function spread(all: number[]) {
  const sorted = all.toSorted((one, other) => one - other);
  const [fastest, slowest] = [sorted[0]!, sorted.at(-1)!];
  const rounded = (value: number) => Number(value.toPrecision(3));
  return {
    fastest: rounded(fastest),
    median: rounded(sorted[Math.floor(sorted.length / 2)]!),
    slowest: rounded(slowest),
    ratio: rounded(slowest / fastest),
  };
}

import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '30' }, seed: { type: 'string' } },
});
const { status } = spawnSync(
  'vitest',
  ['run', '--project', 'suite', 'test/wire/fuzz.test.ts', '--reporter', 'verbose'],
  {
    stdio: 'inherit',
    env: {
      ...process.env,
      WIRE_SECONDS: values.seconds,
      ...(values.seed !== undefined && { WIRE_SEED: values.seed }),
    },
  },
);
process.exitCode = status ?? 1;

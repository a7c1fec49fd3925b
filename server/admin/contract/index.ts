import { initContract } from '@ts-rest/core';
import { accounts } from './accounts.ts';
import { events } from './events.ts';
import { forwarding } from './forwarding.ts';
import { keys } from './keys.ts';
import { metrics } from './metrics.ts';
import { migrations } from './migrations.ts';
import { projects } from './projects.ts';

/** Every command of the administration, by area: a command's words are its path. */
export const adminContract = initContract().router({
  accounts,
  keys,
  projects,
  metrics,
  events,
  forwarding,
  migrations,
});

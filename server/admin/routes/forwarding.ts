import { Readable } from 'node:stream';
import type { Handlers } from '../../http/adapter.ts';
import { explainProviderFailure } from '../../service/forwarding/provider.ts';
import type { ForwardingService } from '../../service/forwarding/service.ts';
import type { AdminContext } from '../context.ts';
import type { SyncLine } from '../contract/forwarding.ts';
import type { adminContract } from '../contract/index.ts';

export const forwardingRoutes: Handlers<typeof adminContract.forwarding, AdminContext> = {
  checkForwarding: async ({ forwarding }) => ({ status: 200, body: await forwarding.check() }),

  listForwarding: async ({ forwarding }) => ({
    status: 200,
    body: (await forwarding.list()).map((state) => ({
      ...state,
      next_try_at: state.next_try_at?.toISOString() ?? null,
      released_at: state.released_at?.toISOString() ?? null,
      alias_gone_at: state.alias_gone_at?.toISOString() ?? null,
    })),
  }),

  syncForwarding: async ({ body, forwarding }) => {
    const lines = new Readable({ read: () => {} });
    void sync(forwarding, body.prune, (line) => lines.push(`${JSON.stringify(line)}\n`)).finally(
      () => lines.push(null),
    );
    return { status: 200, body: lines };
  },
};

async function sync(
  forwarding: ForwardingService,
  prune: boolean,
  write: (line: SyncLine) => void,
): Promise<void> {
  try {
    const onProgress = (progress: { done: number; total: number; name: string }) =>
      write({ progress });
    write({ report: await forwarding.sync({ prune, onProgress }) });
  } catch (error) {
    write({ error: `The provider could not be compared. ${explainProviderFailure(error)}` });
  }
}

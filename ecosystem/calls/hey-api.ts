import { createClient } from '../generated/hey-api/client/index.ts';
import * as api from '../generated/hey-api/sdk.gen.ts';
import type { Calls } from './calls.ts';

/** The fetch client of hey-api. */
export function connect(baseUrl: string, apiKey: string): Calls {
  // It would send the key as the cookie of a session, too. What goes in a header says no place.
  const auth = ({ in: place }: { in?: string }) => (place === 'cookie' ? undefined : apiKey);
  const client = createClient({ baseUrl, auth });
  return {
    rename: async (display_name) => {
      const { data } = await api.updateDisplayName({ client, body: { display_name } });
      return data?.success;
    },
    readName: async () => (await api.getDisplayName({ client })).data?.display_name,
    firstProject: async () => (await api.getProjects({ client })).data?.projects[0]?.id,
    ingest: async (projectId, payload) => {
      const { data } = await api.ingestMetrics({ client, body: { projectId, payload } });
      return data?.message;
    },
  };
}

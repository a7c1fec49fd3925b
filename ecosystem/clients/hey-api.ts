import { createClient } from '../generated/hey-api/client/index.ts';
import * as api from '../generated/hey-api/sdk.gen.ts';
import type { ClientAdapter } from './call-server.ts';

export function createClientAdapter(baseUrl: string, apiKey: string): ClientAdapter {
  // Without this, the client would also send the key as the session cookie. `in` is only set for cookies.
  const auth = ({ in: location }: { in?: string }) => (location === 'cookie' ? undefined : apiKey);
  const client = createClient({ baseUrl, auth });
  return {
    rename: async (display_name) => {
      const { data } = await api.updateDisplayName({ client, body: { display_name } });
      return data?.success;
    },
    readName: async () => (await api.getDisplayName({ client })).data?.display_name,
    findFirstProjectId: async () => (await api.getProjects({ client })).data?.projects[0]?.id,
    ingest: async (projectId, payload) => {
      const { data } = await api.ingestMetrics({ client, body: { projectId, payload } });
      return data?.message;
    },
  };
}

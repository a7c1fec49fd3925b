import createClient from 'openapi-fetch';
import type { paths } from '../generated/openapi-typescript/schema.d.ts';
import type { ClientAdapter } from './call-server.ts';

/** Uses openapi-fetch with the types that openapi-typescript generates. */
export function createClientAdapter(baseUrl: string, apiKey: string): ClientAdapter {
  const client = createClient<paths>({ baseUrl, headers: { 'X-API-KEY': apiKey } });
  return {
    rename: async (display_name) => {
      const { data } = await client.POST('/account/update-display-name', {
        body: { display_name },
      });
      return data?.success;
    },
    readName: async () => (await client.GET('/account/get-display-name')).data?.display_name,
    findFirstProjectId: async () => (await client.GET('/stats/get-projects')).data?.projects[0]?.id,
    ingest: async (projectId, payload) => {
      const response = await client.POST('/stats/ingest-metrics', { body: { projectId, payload } });
      return response.data?.message;
    },
  };
}

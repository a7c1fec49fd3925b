import * as api from '../generated/oazapfts/client.ts';
import type { ClientAdapter } from './call-server.ts';

export function createClientAdapter(baseUrl: string, apiKey: string): ClientAdapter {
  const options = { baseUrl, headers: { 'X-API-KEY': apiKey } };
  return {
    rename: async (display_name) => {
      const response = await api.updateDisplayName({ display_name }, {}, options);
      return response.status === 200 ? response.data.success : undefined;
    },
    readName: async () => {
      const response = await api.getDisplayName(options);
      return response.status === 200 ? response.data.display_name : undefined;
    },
    findFirstProjectId: async () => {
      const response = await api.getProjects(options);
      return response.status === 200 ? response.data.projects[0]?.id : undefined;
    },
    ingest: async (projectId, payload) => {
      const response = await api.ingestMetrics({ projectId, payload }, {}, options);
      return response.status === 200 ? response.data.message : undefined;
    },
  };
}

import * as api from '../generated/kubb/index.ts';
import type { ClientAdapter } from './call-server.ts';

export function createClientAdapter(baseURL: string, apiKey: string): ClientAdapter {
  const config = { baseURL, headers: { 'X-API-KEY': apiKey, 'Content-Type': 'application/json' } };
  return {
    rename: async (display_name) =>
      (await api.updateDisplayName({ display_name }, {}, config)).success,
    readName: async () => (await api.getDisplayName(config)).display_name,
    findFirstProjectId: async () => (await api.getProjects(config)).projects[0]?.id,
    ingest: async (projectId, payload) =>
      (await api.ingestMetrics({ projectId, payload }, {}, config)).message,
  };
}

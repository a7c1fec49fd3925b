import * as api from '../generated/orval/client.ts';
import type { Calls } from './calls.ts';

/** The fetch client of orval, generated for the base address that the server is started on. */
export function connect(_baseUrl: string, apiKey: string): Calls {
  const options = { headers: { 'X-API-KEY': apiKey } };
  return {
    rename: async (display_name) => {
      const answer = await api.updateDisplayName({ display_name }, options);
      return answer.status === 200 ? answer.data.success : undefined;
    },
    readName: async () => {
      const answer = await api.getDisplayName(options);
      return answer.status === 200 ? answer.data.display_name : undefined;
    },
    firstProject: async () => {
      const answer = await api.getProjects(options);
      return answer.status === 200 ? answer.data.projects[0]?.id : undefined;
    },
    ingest: async (projectId, payload) => {
      const answer = await api.ingestMetrics({ projectId, payload }, options);
      return answer.status === 200 ? answer.data.message : undefined;
    },
  };
}

import * as api from '../generated/oazapfts/client.ts';
import type { Calls } from './calls.ts';

/** The client of oazapfts. */
export function connect(baseUrl: string, apiKey: string): Calls {
  const options = { baseUrl, headers: { 'X-API-KEY': apiKey } };
  return {
    rename: async (display_name) => {
      const answer = await api.updateDisplayName({ display_name }, {}, options);
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
      const answer = await api.ingestMetrics({ projectId, payload }, {}, options);
      return answer.status === 200 ? answer.data.message : undefined;
    },
  };
}

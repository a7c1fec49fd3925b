import type { OperationExamples } from './example.ts';

const projectId = '3f0c6a0e-6b57-4f0b-9a51-8a2d1f0e7c11';

export const statsExamples = {
  getProjects: {
    answer: {
      name: 'Projects',
      summary: 'An account with one project.',
      value: {
        projects: [{ id: projectId, name: 'Shop', created_at: '2026-01-31T09:30:00.000Z' }],
      },
    },
  },
  ingestMetrics: {
    request: {
      name: 'NewMetric',
      summary: 'A metric of any shape.',
      value: { projectId, payload: { visitors: 42, page: '/pots', duration_ms: 12.5 } },
    },
    answer: {
      name: 'MetricIngested',
      summary: 'The metric is committed.',
      value: { message: 'The metric was ingested.' },
    },
  },
} satisfies Record<string, OperationExamples>;

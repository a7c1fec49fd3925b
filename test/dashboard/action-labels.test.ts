import { expect, it } from 'vitest';
import { describeAction } from '#dashboard/screens/operator/action-labels.ts';
import { operatorContract } from '#contract/owner/index.ts';

const AUDITED = Object.entries(operatorContract).flatMap(([area, routes]) =>
  Object.entries(routes)
    .filter(([, { metadata }]) => metadata.access !== 'read' || 'fileTypes' in metadata)
    .map(([name]) => `${area}.${name}`),
);

it('every operation of operators that the audit trail contains has its own label', () => {
  const labels = AUDITED.map((operation) => describeAction(operation));
  expect(AUDITED.filter((_, index) => labels[index] === undefined)).toEqual([]);
  expect(new Set(labels).size).toBe(AUDITED.length);
});

it.each([
  ['members.suspendMember', { page_only: true }, 'pages suspend'],
  ['members.resumeMember', { page_only: true }, 'pages resume'],
  ['members.updateMemberRole', { operator: true }, 'operators add'],
  ['members.updateMemberRole', { operator: false }, 'operators remove'],
])('%s %j has the label that it has in entries of 0.1.0', (operation, detail, oldName) => {
  expect(describeAction(operation, detail)).toBeDefined();
  expect(describeAction(operation, detail)).toBe(describeAction(oldName));
});

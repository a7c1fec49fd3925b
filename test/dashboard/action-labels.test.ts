import { expect, it } from 'vitest';
import { operatorContract } from '#contract/owner/index.ts';
import { describeAction } from '#dashboard/screens/activity/action-labels.ts';

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
  ['members.suspendMember', 'page_only'],
  ['members.resumeMember', 'page_only'],
  ['members.updateMemberRole', 'operator'],
  ['members.updateMemberEmail', 'cancelled'],
  ['members.updateMemberEmail', 'resent'],
  ['addresses.updateAddress', 'from'],
])('%s has another label with %s', (operation, flag) => {
  const labels = [describeAction(operation), describeAction(operation, { [flag]: true })];
  expect(new Set([...labels, undefined]).size).toBe(3);
});

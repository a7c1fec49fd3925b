/** Areas of operations by which the audit trail can be filtered. */
export const AUDIT_AREAS = [
  'members',
  'invitations',
  'messages',
  'groups',
  'addresses',
  'reports',
  'server',
  'keys',
  'clients',
] as const;

export type AuditArea = (typeof AUDIT_AREAS)[number];

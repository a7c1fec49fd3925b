/** Areas of operations by which the audit trail can be filtered. */
export const AUDIT_AREAS = [
  'members',
  'invitations',
  'messages',
  'addresses',
  'reports',
  'server',
  'keys',
] as const;

export type AuditArea = (typeof AUDIT_AREAS)[number];

/** Features that `FEATURES_OFF` may leave out. The compiler compares them with those of the server. */
export type OptionalFeature =
  | 'addresses'
  | 'alerts'
  | 'audit'
  | 'backups'
  | 'connections'
  | 'covers'
  | 'domains'
  | 'invitations'
  | 'messages'
  | 'oauth'
  | 'passkeys'
  | 'reports'
  | 'signOn'
  | 'signUp'
  | 'visitors'
  | 'weekSummaries';

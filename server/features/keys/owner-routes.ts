import type { keys } from '#contract/owner/keys.ts';
import { lockAccount } from '#db/queries/accounts.ts';
import { type ApiKeyRow, listApiKeys } from '#db/queries/api-keys.ts';
import { countKeyRequests, hasKeyRequest, listKeyRequests } from '#db/queries/key-requests.ts';
import { listProjects } from '#db/queries/projects.ts';
import type { Core } from '#server/core.ts';
import { credentialId } from '#server/platform/caller.ts';
import { requireRecentLogin } from '#server/platform/http/access/recent-login.ts';
import type { Handlers } from '#server/platform/http/contract/register-contract.ts';
import { serializeTimes } from '#server/platform/http/responses/serialize-times.ts';
import { paginate } from '#server/platform/paginate.ts';
import { didYouMean } from '#server/platform/text/did-you-mean.ts';
import { ERROR_CODES, explainError } from './explain-error.ts';
import { keyMail } from './key-mail.ts';
import { addApiKey, revokeKey } from './manage-keys.ts';

export function keysRoutes(app: Core): Handlers<typeof keys> {
  return {
    listKeys: async ({ accountId, credential, readDb }) => {
      const keys = await listApiKeys(readDb, accountId);
      const activeKeys = keys.filter(({ revoked_at }) => revoked_at === null);
      return { keys: activeKeys.map((key) => serializeKey(key, credential.keyId)) };
    },

    listRequests: async ({ accountId, readDb, query, refuse, getTranslator }) => {
      const { limit, after } = query;
      if (after !== undefined && !(await hasKeyRequest(readDb, accountId, after)))
        throw refuse('cursorInvalid');
      const rows = await listKeyRequests(readDb, accountId, { ...query, limit: limit + 1 });
      const counts = await countKeyRequests(readDb, accountId, query);
      const code = query.error_code;
      // Another version of the server may have other codes, and its requests are listed.
      if (code !== undefined && counts.all === 0 && !ERROR_CODES.has(code))
        throw refuse('errorCodeUnknown', { code, suggestion: didYouMean(code, [...ERROR_CODES]) });
      const t = getTranslator();
      const { entries, next } = paginate(rows, limit, (row) => ({
        ...serializeTimes(row),
        explanation: explainError(t, row),
      }));
      return { requests: entries, counts, next };
    },

    createKey: async ({ accountId, actorId, credential, scope: callerScope, body, db, refuse }) => {
      const { label = null, scope, project_id: projectId, expires_at } = body;
      if (projectId && scope !== 'metrics') throw refuse('projectScopeInvalid');
      if (scope === 'operator' && callerScope !== 'operator')
        throw refuse('operatorScopeForbidden');
      // A key would outlive the grant of an app.
      if (scope !== 'metrics' || credential.kind === 'grant')
        await requireRecentLogin(db, { credential });
      // So that the project is not deleted meanwhile.
      if (projectId) await lockAccount(db, accountId);
      const projects = projectId ? await listProjects(db, accountId) : [];
      const project = projects.find(({ id }) => id === projectId?.toLowerCase());
      if (projectId && !project) throw refuse('projectNotFound');
      const expiryDate = typeof expires_at === 'string' ? new Date(expires_at) : null;
      if (expiryDate && expiryDate <= new Date()) throw refuse('expiryInPast');
      const { api_key, ...key } = await addApiKey(
        db,
        {
          accountId,
          label,
          scope,
          projectId,
          expiresAt: expiryDate,
          keeperId: actorId === accountId ? null : actorId,
          by: credentialId(credential),
        },
        app,
      );
      const keyText = `${key.key_id}, scope ${key.scope}${project ? `, project ${project.name}` : ''}`;
      await app.outbox.mailOwner(db, keyMail, { accountId, key: keyText });
      return { key: serializeKey(key, credential.keyId), api_key };
    },

    revokeKey: async ({ accountId, credential, body: { key_id: keyId }, db, refuse }) => {
      const revokedAt = await revokeKey(
        db,
        { keyId, accountId, by: credentialId(credential) },
        app,
      );
      if (!revokedAt) throw refuse('keyNotFound');
    },
  };
}

function serializeKey(key: ApiKeyRow, currentKeyId: string | undefined) {
  const { key_id: id, ...rest } = serializeTimes(key);
  return { id, ...rest, current: id === currentKeyId };
}

import {
  type FakeResponse,
  type FakeProvider,
  basicAuthorization,
  startFakeProvider,
} from './fake-provider.ts';

interface FakeForwardEmailAlias {
  id: string;
  object: 'alias';
  name: string;
  recipients: string[];
  is_enabled: boolean;
  has_recipient_verification: boolean;
  error_code_if_disabled: number;
  labels: string[];
  description: string;
}

export interface FakeForwardEmail extends FakeProvider {
  aliases: Map<string, FakeForwardEmailAlias>;
  /** Refuses deletions, as Forward Email does for new accounts. */
  refusesDeletion: boolean;
}

export const FORWARD_EMAIL_KEY = 'forward_email_canary_77aa';
const OPERATOR_EMAIL = 'operator@example.net';
const DOMAIN = 'nameplate.example';

export async function startFakeForwardEmail(): Promise<FakeForwardEmail> {
  const aliases = new Map<string, FakeForwardEmailAlias>();
  let lastId = 0;
  const setAlias = (body: any, id: string): FakeForwardEmailAlias => {
    // As in the real API, recipients are stored in lower case, and the mail of an alias without
    // recipients goes to the operator.
    const recipients = (body.recipients ?? []).map((email: string) => email.toLowerCase());
    const alias: FakeForwardEmailAlias = {
      id,
      object: 'alias',
      name: body.name,
      recipients: recipients.length > 0 ? recipients : [OPERATOR_EMAIL],
      is_enabled: body.is_enabled ?? true,
      has_recipient_verification: body.has_recipient_verification ?? false,
      error_code_if_disabled: body.error_code_if_disabled ?? 250,
      labels: body.labels ?? [],
      description: body.description ?? '',
    };
    aliases.set(alias.name, alias);
    return alias;
  };
  const provider = await startFakeProvider(({ method, path, query, body, authorization }) => {
    if (authorization !== basicAuthorization(FORWARD_EMAIL_KEY, ''))
      return failure(401, 'Unauthorized', 'Invalid API token.');
    const [, domain, name] =
      /^\/v1\/domains\/([^/]+)\/aliases(?:\/([^/]+))?$/
        .exec(path)
        ?.map((segment) => decodeURIComponent(segment ?? '')) ?? [];
    if (domain !== DOMAIN) return failure(404, 'Not Found', 'Domain does not exist.');
    if (method === 'GET' && !name) {
      const [page, limit] = [Number(query.get('page') ?? 1), Number(query.get('limit') ?? 10)];
      const allAliases = [...aliases.values()];
      return {
        status: 200,
        body: allAliases.slice((page - 1) * limit, page * limit),
        headers: {
          'x-page-count': String(Math.max(1, Math.ceil(allAliases.length / limit))),
          'x-page-current': String(page),
          'x-page-size': String(limit),
          'x-item-count': String(allAliases.length),
        },
      };
    }
    if (method === 'POST' && !name) {
      if (aliases.has(body.name)) return failure(400, 'Bad Request', 'Alias already exists.');
      lastId += 1;
      return { status: 200, body: setAlias(body, `65a${lastId}`) };
    }
    const alias = [...aliases.values()].find((item) => item.name === name || item.id === name);
    if (!alias) return failure(404, 'Not Found', 'Alias does not exist on the domain.');
    if (method === 'PUT') return { status: 200, body: setAlias({ ...body, name }, alias.id) };
    if (method === 'DELETE') {
      if (fake.refusesDeletion)
        return failure(
          400,
          'Bad Request',
          'You need to wait at least 5 days after a payment before you delete an alias.',
        );
      aliases.delete(alias.name);
    }
    return { status: 200, body: alias };
  });
  const fake: FakeForwardEmail = Object.assign(provider, { aliases, refusesDeletion: false });
  return fake;
}

function failure(statusCode: number, error: string, message: string): FakeResponse {
  return { status: statusCode, body: { statusCode, error, message } };
}

import { HttpJson, type JsonAnswer, basicAuthorization } from './http-json.ts';
import { type Alias, type Provider, confirm, isPattern, patternFindings } from './provider.ts';

const PAGE_SIZE = 100;

interface ImprovmxAlias {
  alias: string;
  forward: string;
}

/** ImprovMX, API v3. */
export function improvmx(options: {
  apiKey: string;
  baseUrl: string;
  mailDomain: string;
}): Provider {
  const { apiKey, baseUrl, mailDomain } = options;
  const http = new HttpJson({
    baseUrl,
    authorization: basicAuthorization('api', apiKey),
    secret: apiKey,
  });
  const aliases = `/domains/${mailDomain}/aliases`;

  async function listAll(signal: AbortSignal): Promise<Alias[]> {
    const found: Alias[] = [];
    for (let page = 1; ; page += 1) {
      const { body } = await http.call({
        path: `${aliases}?page=${page}&limit=${PAGE_SIZE}`,
        signal,
      });
      const rows = body.aliases as ImprovmxAlias[];
      found.push(...rows.map(({ alias, forward }) => ({ name: alias, destination: forward })));
      if (rows.length === 0 || found.length >= Number(body.total)) return found;
    }
  }

  function update(name: string, destination: string, signal: AbortSignal): Promise<JsonAnswer> {
    const body = { forward: destination };
    return http.call({ method: 'PUT', path: `${aliases}/${name}`, body, signal }, [404]);
  }

  return {
    put: async ({ name, destination }, signal) => {
      const create = { alias: name, forward: destination };
      const created = await http.call(
        { method: 'POST', path: aliases, body: create, signal },
        [400],
      );
      // An alias that exists is refused with 400, as is anything else that is wrong.
      const answer = created.status === 400 ? await update(name, destination, signal) : created;
      if (answer.status === 404) throw http.refusal(created);
      confirm(answer.body?.alias?.forward === destination, name);
    },

    remove: async (name, signal) => {
      await http.call({ method: 'DELETE', path: `${aliases}/${name}`, signal }, [404]);
    },

    find: async (name, signal) => {
      const { status, body } = await http.call({ path: `${aliases}/${name}`, signal }, [404]);
      return status === 404 ? undefined : (body.alias as ImprovmxAlias).forward;
    },

    list: async (signal) => (await listAll(signal)).filter(({ name }) => !isPattern(name)),

    check: async (signal) => patternFindings(await listAll(signal)),

    advice: `Check IMPROVMX_API_KEY, and that ${mailDomain} is among the account's domains.`,
  };
}

import { generateKeyPair, randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import type { Transaction } from '#db/connections/handles.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import {
  insertSigningKey,
  listSigningKeys,
  lockSigningKeys,
  type SigningKeyRow,
} from '#db/queries/oauth-keys.ts';
import type { Core } from '#server/core.ts';
import { cacheForMinute } from '#server/platform/cache-for-minute.ts';
import type { SecretBox } from '#server/platform/secrets/secret-box.ts';

/** Websites read the published keys within this time, so that they know a key before it signs. */
const HOURS_BEFORE_SIGNING = 24;

export interface SigningKey {
  kid: string;
  alg: 'RS256';
  use: 'sig';
  [parameter: string]: unknown;
}

type KeyApp = Pick<Core, 'db' | 'secretBox'>;

/** The keys that sign ID tokens. Every process reads a change within a minute. */
export class SigningKeys {
  readonly #app: KeyApp;
  #read: () => Promise<SigningKeyRow[]>;

  constructor(app: KeyApp) {
    this.#app = app;
    this.#read = this.#cached();
  }

  #cached() {
    return cacheForMinute(() => listSigningKeys(this.#app.db));
  }

  /** Before the first sign-in, there are none. */
  async listPublic(): Promise<SigningKey[]> {
    const rows = await this.#list();
    return rows.map(({ id, public_key }) => ({ ...public_key, kid: id, alg: 'RS256', use: 'sig' }));
  }

  /** Private keys. The first one signs. Creates it if there is none. */
  async listPrivate(): Promise<SigningKey[]> {
    const keys = this.#decrypt(await this.#list());
    if (keys) return keys;
    const created = this.#decrypt(await this.#createFirst())!;
    this.#read = this.#cached();
    return created;
  }

  /** Undefined if there is none that signs, or if it was encrypted with a former key. */
  #decrypt(rows: readonly SigningKeyRow[]): SigningKey[] | undefined {
    const box = requireSecretBox(this.#app);
    const decrypted = rows.flatMap(({ id, encrypted_key, signs }) => {
      const key = box.open(encrypted_key, contextOf(id));
      return key === undefined ? [] : [{ id, key, signs }];
    });
    if (!decrypted[0]?.signs) return undefined;
    return decrypted.map(({ id, key }) => ({
      ...(JSON.parse(key) as object),
      kid: id,
      alg: 'RS256',
      use: 'sig',
    }));
  }

  async #list(): Promise<SigningKeyRow[]> {
    const rows = await this.#read();
    return rows.length > 0 ? rows : listSigningKeys(this.#app.db);
  }

  #createFirst(): Promise<SigningKeyRow[]> {
    return inTransaction(this.#app.db, async (trx) => {
      await lockSigningKeys(trx);
      const keys = await listSigningKeys(trx);
      if (this.#decrypt(keys)) return keys;
      await addSigningKey(trx, this.#app, 0);
      return listSigningKeys(trx);
    });
  }
}

/** Resolves to the time from which the new key signs. Until then, only the old one does. */
export async function rotateSigningKeys(trx: Transaction, app: KeyApp): Promise<Date> {
  await lockSigningKeys(trx);
  const keys = await listSigningKeys(trx);
  return addSigningKey(trx, app, keys.length === 0 ? 0 : HOURS_BEFORE_SIGNING);
}

async function addSigningKey(trx: Transaction, app: KeyApp, hours: number): Promise<Date> {
  const id = randomUUID();
  const { publicKey, privateKey } = await promisify(generateKeyPair)('rsa', {
    modulusLength: 2_048,
  });
  const secret = JSON.stringify(privateKey.export({ format: 'jwk' }));
  const key = {
    id,
    public_key: publicKey.export({ format: 'jwk' }),
    encrypted_key: requireSecretBox(app).seal(secret, contextOf(id)),
  };
  return insertSigningKey(trx, key, hours);
}

function requireSecretBox({ secretBox }: Pick<Core, 'secretBox'>): SecretBox {
  if (!secretBox) throw new Error('the encryption key is missing');
  return secretBox;
}

const contextOf = (id: string) => `oauth key ${id}`;

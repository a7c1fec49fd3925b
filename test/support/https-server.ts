import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { generate } from 'selfsigned';

/** Starts an HTTPS server on loopback. Clients have to trust `ca`, and reject names except `name`. */
export async function startHttpsServer(listener: RequestListener, name = 'localhost') {
  const certificate = await createCertificate(name);
  const server = createServer(certificate, listener);
  server.on('tlsClientError', () => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    host: `localhost:${(server.address() as AddressInfo).port}`,
    ca: certificate.cert,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export async function createCertificate(name: string): Promise<{ key: string; cert: string }> {
  const { private: key, cert } = await generate([{ name: 'commonName', value: name }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'subjectAltName', altNames: [{ type: 2, value: name }] },
    ],
  });
  return { key, cert };
}

import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import { generate } from 'selfsigned';
import { listen } from './listen.ts';

/** Starts an HTTPS server on loopback. Clients have to trust `ca`, and reject names except `name`. */
export async function startHttpsServer(listener: RequestListener, name = 'localhost') {
  const certificate = await createCertificate(name);
  const server = createServer(certificate, listener);
  server.on('tlsClientError', () => {});
  let connections = 0;
  server.on('connection', () => (connections += 1));
  const { port, close } = await listen(server);
  return {
    host: `localhost:${port}`,
    ca: certificate.cert,
    close,
    connections: () => connections,
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

import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { createRepository } from './create-repository.ts';
import { createDebianSystem } from './debian-system.ts';

const run = promisify(execFile);

/** Longer than debootstrap, the installation and the boot may take together (see debian-system.ts). */
const TIME_LIMIT_MS = 5_400_000;

/** The CA certificates of this machine, which may include those of a proxy. */
const CA_BUNDLE_MOUNT = '/etc/ssl/certs/ca-certificates.crt:/authorities.pem';

/** Makes Caddy issue its own certificates, because no public CA can reach this machine. */
const USE_LOCAL_CERTIFICATES = `sed -i '0,/^{$/s//{\\nlocal_certs\\nskip_install_trust/' /etc/caddy/Caddyfile`;

const CREATE_CERTIFICATE = `mkdir -p "/etc/letsencrypt/live/$DOMAIN"
cd "/etc/letsencrypt/live/$DOMAIN"
openssl req -x509 -newkey rsa:2048 -nodes -subj "/CN=$DOMAIN" -addext "subjectAltName=DNS:$DOMAIN" -keyout privkey.pem -out fullchain.pem
cd /srv/nameplate`;

/** Commands that cannot run unchanged in the test, with their replacements. */
const REPLACEMENTS: [RegExp, string][] = [
  [/^git clone \S+/m, 'git clone /origin.git'],
  [/^(?=systemctl reload-or-restart caddy$)/m, `${USE_LOCAL_CERTIFICATES}\n`],
  [/^certbot .*$/m, CREATE_CERTIFICATE],
  // Both proxies run on one machine, one after the other.
  [/^nginx -t$/m, '$&\nsystemctl stop caddy\nsystemctl start nginx'],
];

/** Requests the landing page until it responds, and prints the status. */
const visitUntilReady = (caFile: string) => `
for attempt in $(seq 100); do
  NODE_EXTRA_CA_CERTS="${caFile}" node_modules/.bin/node --eval '
    const { status } = await fetch(process.argv[1]);
    console.log("visited", status);
    process.exitCode = status === 200 ? 0 : 1;
  ' "https://$DOMAIN/" && break || sleep 1
done
`;
const VISIT_CADDY = visitUntilReady(
  '/var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt',
);
const VISIT_NGINX = visitUntilReady('/etc/letsencrypt/live/$DOMAIN/fullchain.pem');

/** Returns the shell commands of each section of the document, with the replacements. */
async function readCommands(): Promise<string[]> {
  const document = await readFile('docs/public-instance.md', 'utf8');
  return document
    .split(/^##+ /m)
    .map((section) => [...section.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, code]) => code))
    .map((codes) =>
      REPLACEMENTS.reduce(
        (text, [line, replacement]) => text.replace(line, replacement),
        codes.join(''),
      ),
    );
}

it(
  'every documented command for a public instance works on a fresh Debian system, with Caddy and with nginx',
  async () => {
    const origin = await createRepository();
    const { stdout: cache } = await run('npm', ['config', 'get', 'cache']);
    const debian = await createDebianSystem([
      `${origin}:/origin.git`,
      `${cache.trim()}:/root/.npm`,
      CA_BUNDLE_MOUNT,
    ]);
    onTestFinished(debian.remove);
    const [domain = '', install = '', configure, start, caddy, nginx = '', ...rest] =
      await readCommands();
    const backup = await readFile('docs/backup.md', 'utf8');
    const [restore = ''] = /(?<=```sh\n)systemctl stop nameplate\n.*?(?=```)/s.exec(backup) ?? [];
    const packages = /^apt-get .*$/gm;
    await debian.install(
      [
        'export DEBIAN_FRONTEND=noninteractive npm_config_prefer_offline=true',
        'export NODE_EXTRA_CA_CERTS=/authorities.pem',
        ...[domain, install, ...(nginx.match(packages) ?? [])],
        'systemctl disable nginx',
        'echo "127.0.0.1 $DOMAIN" >> /etc/hosts',
      ].join('\n'),
    );
    const output = await debian.bootAndRun(
      [
        ...['export npm_config_offline=true HOME=/root', domain, 'cd /srv/nameplate'],
        ...[configure, start, caddy, VISIT_CADDY],
        ...[nginx.replace(packages, ''), VISIT_NGINX],
        ...['systemctl stop nginx', 'systemctl start caddy'],
        // People who follow the document wait until the server responds, and so does the test.
        ...rest.flatMap((section) => [section, VISIT_CADDY]),
        'ls /var/lib/nameplate',
        'mv /var/lib/nameplate/before-update.zip nameplate.zip',
        ...['cp /var/lib/nameplate/encryption.key .', restore, VISIT_CADDY],
      ].join('\n'),
    );
    expect(output.match(/^visited 200$/gm)).toHaveLength(3 + rest.length);
    expect(output).toMatch(/ https:.*\/dashboard\/login#/);
    expect(output).toMatch(/^before-update\.zip$/m);
    expect(output).toMatch(/^Restored /m);
  },
  TIME_LIMIT_MS,
);

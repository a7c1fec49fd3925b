import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { createRepository } from './create-repository.ts';
import { makeFreshRoot } from './fresh-root.ts';

const run = promisify(execFile);

/** Longer than the limits in fresh-root.ts: downloads Debian and runs npm install twice. */
const TIME_LIMIT_MS = 5_400_000;

/** CA certificates that this machine trusts, perhaps including a proxy's. */
const CA_CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt:/authorities.pem';

/** Makes Caddy issue its own certificates: no public CA can reach this machine. */
const LOCAL_CERTIFICATES = `sed -i '0,/^{$/s//{\\nlocal_certs\\nskip_install_trust/' /etc/caddy/Caddyfile`;

/** Creates the files that certbot would. */
const CERTIFICATE = `mkdir -p "/etc/letsencrypt/live/$DOMAIN"
cd "/etc/letsencrypt/live/$DOMAIN"
openssl req -x509 -newkey rsa:2048 -nodes -subj "/CN=$DOMAIN" -addext "subjectAltName=DNS:$DOMAIN" -keyout privkey.pem -out fullchain.pem
cd /srv/nameplate`;

/** Commands that need the internet, each with its replacement. */
const REPLACEMENTS: [RegExp, string][] = [
  [/^git clone \S+/m, 'git clone /origin.git'],
  [/^(?=systemctl reload-or-restart caddy$)/m, `${LOCAL_CERTIFICATES}\n`],
  [/^certbot .*$/m, CERTIFICATE],
  // Both proxies run on one machine, one after the other.
  [/^nginx -t$/m, '$&\nsystemctl stop caddy\nsystemctl start nginx'],
];

/** Requests the landing page until it responds, and prints the status. */
const visit = (authority: string) => `
for attempt in $(seq 100); do
  NODE_EXTRA_CA_CERTS="${authority}" node_modules/.bin/node --eval '
    const { status } = await fetch(process.argv[1]);
    console.log("visited", status);
    process.exitCode = status === 200 ? 0 : 1;
  ' "https://$DOMAIN/" && break || sleep 1
done
`;
const VISIT_CADDY = visit('/var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt');
const VISIT_NGINX = visit('/etc/letsencrypt/live/$DOMAIN/fullchain.pem');

/** The commands in the document by section. */
async function commands(): Promise<string[]> {
  const document = await readFile('docs/public-instance.md', 'utf8');
  return document
    .split(/^##+ /m)
    .map((section) => [...section.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, code]) => code))
    .map((codes) =>
      REPLACEMENTS.reduce((text, [line, other]) => text.replace(line, other), codes.join('')),
    );
}

it(
  'every documented command for a public instance works on a fresh Debian system, with Caddy and with nginx',
  async () => {
    const origin = await createRepository();
    const { stdout: cache } = await run('npm', ['config', 'get', 'cache']);
    const root = await makeFreshRoot([
      `${origin}:/origin.git`,
      `${cache.trim()}:/root/.npm`,
      CA_CERTIFICATES,
    ]);
    onTestFinished(root.remove);
    const [domain = '', install = '', configure, start, caddy, nginx = '', ...rest] =
      await commands();
    const packages = /^apt-get .*$/gm;
    await root.install(
      [
        'export DEBIAN_FRONTEND=noninteractive npm_config_prefer_offline=true',
        'export NODE_EXTRA_CA_CERTS=/authorities.pem',
        ...[domain, install, ...(nginx.match(packages) ?? [])],
        'systemctl disable nginx',
        'echo "127.0.0.1 $DOMAIN" >> /etc/hosts',
      ].join('\n'),
    );
    const printed = await root.boot(
      [
        ...['export npm_config_offline=true HOME=/root', domain, 'cd /srv/nameplate'],
        ...[configure, start, caddy, VISIT_CADDY],
        ...[nginx.replace(packages, ''), VISIT_NGINX],
        ...['systemctl stop nginx', 'systemctl start caddy'],
        // A reader waits until the server responds again.
        ...rest.flatMap((section) => [section, VISIT_CADDY]),
        'systemctl is-active nameplate-backup.timer',
      ].join('\n'),
    );
    expect(printed.match(/^visited 200$/gm)).toHaveLength(2 + rest.length);
    expect(printed).toMatch(/ https:.*\/dashboard\/login#/);
    expect(printed).toMatch(/KEY=np_/);
    expect(printed).toMatch(/ \d\.zip$/m);
  },
  TIME_LIMIT_MS,
);

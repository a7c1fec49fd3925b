// Plain JavaScript, so that an older Node can run it and print the message.
import { runNode } from './run-node.js';

const IN_PACKAGES = /[\\/]node_modules[\\/]/;

// Scripts of npm find its Node in node_modules/.bin first. Prefer the one that runs npm itself.
const { npm_node_execpath: ownNode, npm_config_user_agent: agent } = process.env;
const [, ownVersion] = /\bnode\/v(\d+)/.exec(agent ?? '') ?? [];
if (ownNode && ownVersion >= 24 && !IN_PACKAGES.test(ownNode) && IN_PACKAGES.test(process.execPath))
  await runNode(ownNode);

if (!process.features.typescript || typeof AsyncDisposableStack === 'undefined') {
  console.error(
    'Nameplate needs Node 24 or newer. `npm ci` installs it, unless optional packages or scripts are disabled.',
  );
  process.exit(1);
}

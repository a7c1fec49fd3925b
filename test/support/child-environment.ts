export function childEnvironment(settings: Record<string, string>): NodeJS.ProcessEnv {
  const { PATH, NODE_COMPILE_CACHE, TMPDIR } = process.env;
  return { PATH, NODE_COMPILE_CACHE, TMPDIR, ...settings };
}

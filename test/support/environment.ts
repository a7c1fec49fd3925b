/** The environment of a program that a test starts: these settings, and else what every program needs. */
export function environment(settings: Record<string, string>): NodeJS.ProcessEnv {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  return { PATH, NODE_COMPILE_CACHE, ...settings };
}

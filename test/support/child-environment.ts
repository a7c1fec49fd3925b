/** Returns the settings and the variables that every Node.js process needs, and no others. */
export function childEnvironment(settings: Record<string, string>): NodeJS.ProcessEnv {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  return { PATH, NODE_COMPILE_CACHE, ...settings };
}

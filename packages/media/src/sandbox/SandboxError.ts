/** Why a task has no result, in a sentence for people. The process can be used again. */
export class SandboxError extends Error {
  /** The library that is not installed, when that is the reason. */
  readonly missingTool: string | undefined
  constructor(because: string, options: ErrorOptions & { readonly missingTool?: string } = {}) {
    super(because, options)
    this.missingTool = options.missingTool
  }
}

/** Loads an optional library; when it is missing or does not load, the error names it. */
export const library = async <A>(name: string, load: () => Promise<A>): Promise<A> => {
  try {
    return await load()
  } catch (cause) {
    throw new SandboxError(
      (cause as NodeJS.ErrnoException).code === "ERR_MODULE_NOT_FOUND"
        ? `Opening this file needs the package ${name} on the server: npm install ${name}.`
        : `Opening this file needs the package ${name}, which does not load on this server.`,
      { cause, missingTool: name }
    )
  }
}

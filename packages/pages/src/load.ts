import type { BuiltPages } from "./BuiltPages.ts"

/** The pages as they were built, loaded when they are first asked for. */
export const load = async (): Promise<BuiltPages> => (await import("./built.ts")).built

/** The tasks by their names. */

export const tasks = {
  frame: async () => (await import("../ffmpeg/RunTasks.ts")).frame,
  listen: async () => (await import("../ffmpeg/RunTasks.ts")).listen,
  program: async () => (await import("../ffmpeg/RunTasks.ts")).program,
  imageFacts: async () => (await import("../image/Facts.ts")).imageFacts,
  peaks: async () => (await import("../ffmpeg/RunTasks.ts")).peaks,
  pages: async () => (await import("../pdf/Pages.ts")).pages,
  still: async () => (await import("../image/Still.ts")).still,
  tags: async () => (await import("../tags/Tags.ts")).tags
}

export type Tasks = typeof tasks

/** Libraries that a task loads on demand, which is nearly always. */
export const libraries: Partial<Record<TaskName, () => Promise<unknown>>> = {
  imageFacts: () => import("sharp"),
  still: () => import("sharp")
}

export type TaskName = keyof Tasks
type TaskOf<Name extends TaskName> = Awaited<ReturnType<Tasks[Name]>>
export type TaskOptions<Name extends TaskName> = Parameters<TaskOf<Name>>[1]
export type TaskAnswer<Name extends TaskName> = Awaited<ReturnType<TaskOf<Name>>>

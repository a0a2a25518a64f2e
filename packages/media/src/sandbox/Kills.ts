/**
 * Who ended a process, by the signal that it ended by. Decoders that fail end by a signal of their own (a wrong address, an
 * assertion): then the file is the cause. The system (for want of memory) and people use others: then it is not.
 */
const fromOutside: ReadonlySet<NodeJS.Signals> = new Set(["SIGKILL", "SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT"])

/** Whether a process that nobody here killed was killed by somebody else. */
export const isFromOutside = (signal: NodeJS.Signals | null): boolean => signal !== null && fromOutside.has(signal)

/**
 * How a process of the sandbox ends itself when its task takes too much: so that the drive can tell it from one that the system
 * killed. It makes no dump of memory. What does not end by it is killed.
 */
export const tooMuchSignal = "SIGUSR2"

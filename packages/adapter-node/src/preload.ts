/**
 * Begins to start the embedded database while a program's other modules are still loading, if it is the program's first import:
 * `import "@filedrive/adapter-node/preload"`. The next drive on the embedded database uses it. Not for a program whose drive is on a
 * PostgreSQL server: it would start a thread for nothing.
 */
import { beginThread } from "./database/EarlyThread.ts"

beginThread()

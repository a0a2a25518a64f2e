/** Which of an account's files are listed. */

/** A scope of the library: the files in use, by when they were inserted, or those in trash, by when they were put there. */
export type FileScope = "files" | "trash"

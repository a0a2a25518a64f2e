/** Kinds of files, as the drive knows them. */
export type FileType = "Video" | "Audio" | "Image" | "Document" | "Text" | "Archive" | "Other"

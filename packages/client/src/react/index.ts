"use client"
/** A file drive in React: 18 and 19, in StrictMode, and rendered on a server. */
export type { ListingState, Searching } from "./Listing.ts"
export type { Chosen, ShownFile, Uploads, UploadsActions, UploadsOptions, UploadsState } from "./QueueUploads.ts"
export { type Followed, useEvents } from "./useEvents.ts"
export { type FilesOptions, useFiles } from "./useFiles.ts"
export { type Listed, type SearchOptions, useSearch } from "./useSearch.ts"
export { createUploads, useUploads } from "./useUploads.ts"

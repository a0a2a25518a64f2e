/** Uploads to a file drive from Uppy: its dashboard chooses and shows, the client sends. */
export { FiledriveUpload, type FiledriveUploadOptions } from "./FiledriveUpload.ts"

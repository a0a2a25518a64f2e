/** The operations of a drive and their JSON. Made by `node --conditions=@filedrive/source scripts/clientApi.ts` of the OpenAPI document: don't edit it. */
import type { CallOptions, PublicCallOptions } from "../Options.ts"

export type Acknowledgement = Readonly<Record<string, unknown>>

export interface AgentTask { readonly id: string; readonly contextId: string; readonly state: "submitted" | "working" | "completed" | "failed" | "canceled"; readonly waits: boolean; readonly text: string; readonly reply: string | null; readonly files: ReadonlyArray<{ readonly id: string; readonly fileName: string }>; readonly statusTime: string; readonly insertTime: string; readonly credential: { readonly id: string; readonly name: string } }

export interface Archive { readonly id: string; readonly title: string; readonly fileCount: number; readonly bytes: number; readonly skipped: ReadonlyArray<{ readonly id: string; readonly reason: "not_found" | "trashed" | "bytes_missing" | "unreadable" }>; readonly status: "working" | "done" | "failed"; readonly error: string | null; readonly receivedBytes: number; readonly downloadUrl: string | null; readonly expireTime: string | null }

export type DriveEvent = { readonly id: string; readonly kind: "drop"; readonly time: string; readonly sender: { readonly name: string }; readonly note: string | null; readonly request: { readonly id: string; readonly title: string }; readonly files: ReadonlyArray<{ readonly id: string; readonly type: "Video" | "Audio" | "Image" | "Document" | "Text" | "Archive" | "Other"; readonly fileName: string; readonly fileSize: number; readonly mimeType: string }>; readonly fileCount: number } | { readonly id: string; readonly kind: "note"; readonly time: string; readonly reviewer: { readonly name: string }; readonly text: string; readonly seconds: number | null; readonly replyTo: string | null; readonly review: { readonly id: string }; readonly file: { readonly id: string; readonly type: "Video" | "Audio" | "Image" | "Document" | "Text" | "Archive" | "Other"; readonly fileName: string } } | { readonly id: string; readonly kind: "view"; readonly time: string; readonly viewer: { readonly handle: string | null; readonly displayName: string | null } | null; readonly file: { readonly id: string; readonly type: "Video" | "Audio" | "Image" | "Document" | "Text" | "Archive" | "Other"; readonly fileName: string } } | { readonly id: string; readonly kind: "file"; readonly time: string; readonly file: { readonly id: string; readonly type: "Video" | "Audio" | "Image" | "Document" | "Text" | "Archive" | "Other"; readonly fileName: string } } | { readonly id: string; readonly kind: "generation"; readonly time: string; readonly status: string; readonly error: string | null; readonly prompt: string | null; readonly image: FileRecord | null }

export interface Drop { readonly id: string; readonly senderName: string; readonly note: string | null; readonly arrivedTime: string; readonly finishTime: string | null; readonly viewed: boolean; readonly files: ReadonlyArray<{ readonly id: string; readonly type: "Video" | "Audio" | "Image" | "Document" | "Text" | "Archive" | "Other"; readonly fileName: string; readonly fileSize: number; readonly mimeType: string }> }

export interface Failure { readonly status: number; readonly error: string; readonly code: "missing_field" | "invalid_field" | "unknown_field" | "invalid_body" | "size_mismatch" | "object_not_found" | "storage_limit_reached" | "object_key_taken" | "image_too_large" | "request_full" | "no_session" | "session_expired" | "invalid_token" | "not_allowed" | "no_plan" | "not_owner" | "wrong_app" | "file_not_found" | "token_limit" | "no_images_left" | "storage_full" | "pro_only" | "no_subscription" | "too_many_forms" | "archives_full" | "request_closed" | "review_closed" | "password_needed" | "not_found" | "upload_not_found" | "unknown_route" | "method_not_allowed" | "parts_missing" | "parts_invalid" | "unreadable" | "rate_unknown" | "rate_limited" | "internal" | "storage_unavailable" | "fetching_file_failed" | "generator_unavailable" | "unavailable" | "no_space"; readonly field?: string; readonly retryable: boolean }

export interface FileRecord { readonly id: string; readonly fileName: string; readonly type: "Video" | "Audio" | "Image" | "Document" | "Text" | "Archive" | "Other"; readonly mimeType: string; readonly fileSize: number; readonly downloadUrl: string | null; readonly isPublic: boolean; readonly accessMove: { readonly toPublic: boolean; readonly partsDone: number; readonly partCount: number } | null; readonly description: string | null; readonly folder: { readonly id: string; readonly path: string } | null; readonly tags: ReadonlyArray<{ readonly id: string; readonly text: string }>; readonly objectKey: string | null; readonly insertTime: string; readonly trashTime: string | null; readonly thumbnailUrl: string | null; readonly media: { readonly title: string | null; readonly artists: ReadonlyArray<string>; readonly album: string | null; readonly genre: string | null; readonly duration: number | null; readonly tempo: number | null; readonly key: string | null; readonly coverId: string | null } | { readonly title: string | null; readonly duration: number | null; readonly width: number | null; readonly height: number | null; readonly recordedTime: string | null; readonly location: { readonly latitude: number; readonly longitude: number } | null; readonly thumbnailId: string | null } | { readonly title: string | null; readonly width: number | null; readonly height: number | null; readonly takenTime: string | null; readonly location: { readonly latitude: number; readonly longitude: number } | null; readonly camera: string | null } | null; readonly metadataStatus: "pending" | "done" | "failed" }

export interface FileRef { readonly id: string }

export interface FileRequest { readonly id: string; readonly title: string; readonly message: string | null; readonly expireTime: string | null; readonly maxBytes: number | null; readonly folder: { readonly id: string | null; readonly path: string }; readonly hasPassword: boolean; readonly open: boolean; readonly closeTime: string | null; readonly insertTime: string; readonly receivedBytes: number; readonly drops: ReadonlyArray<Drop> }

export interface FileRequestSummary { readonly id: string; readonly title: string; readonly message: string | null; readonly expireTime: string | null; readonly maxBytes: number | null; readonly folder: { readonly id: string | null; readonly path: string }; readonly hasPassword: boolean }

export interface FileReview { readonly id: string; readonly message: string | null; readonly insertTime: string; readonly expireTime: string | null; readonly allowDownload: boolean; readonly open: boolean; readonly hasPassword: boolean; readonly file: { readonly id: string; readonly type: "Video" | "Audio" | "Image" | "Document" | "Text" | "Archive" | "Other"; readonly fileName: string }; readonly frameRate: number | null; readonly noteCount: number; readonly notes: ReadonlyArray<ReviewNote>; readonly nextCursor: string | null }

export interface Folder { readonly id: string; readonly path: string; readonly fileCount: number }

export interface Generation { readonly id: string; readonly status: "working" | "done" | "failed"; readonly trashed?: true; readonly error: string | null; readonly code: "moderated" | "rejected" | "generator_unavailable" | "busy" | "unavailable" | "invalid" | "lost" | "timed_out" | "interrupted" | "storage_full" | "not_saved" | "not_allowed" | "cancelled" | "image_deleted" | null; readonly model: "gptImage2" | "nanoBanana" | "imagen4Fast" | "seedream4" | "flux2Pro" | "fluxKreaDev" | "nanoBananaPro"; readonly aspectRatio: "1:1" | "3:2" | "2:3" | "16:9" | "9:16" | "4:3" | "3:4"; readonly quality: "low" | "medium" | "high" | null; readonly prompt: string; readonly image: FileRecord | null; readonly insertTime: string }

export interface Import { readonly id: string; readonly url: string; readonly status: "working" | "done" | "failed"; readonly error: string | null; readonly code: string | null; readonly receivedBytes: number; readonly totalBytes: number | null; readonly file: FileRecord | null }

export interface ReviewNote { readonly id: string; readonly seconds: number | null; readonly endSeconds: number | null; readonly timecode: string | null; readonly reviewer: { readonly name: string }; readonly text: string; readonly insertTime: string; readonly editTime: string | null; readonly resolved: boolean; readonly mine?: boolean; readonly replies: ReadonlyArray<{ readonly id: string; readonly author: { readonly name: string; readonly owner: boolean }; readonly text: string; readonly insertTime: string; readonly mine?: boolean }> }

export interface SearchQuery { readonly text?: string; readonly types?: ReadonlyArray<"Video" | "Audio" | "Image" | "Document" | "Text" | "Archive" | "Other">; readonly type?: "Video" | "Audio" | "Image" | "Document" | "Text" | "Archive" | "Other"; readonly tags?: ReadonlyArray<string>; readonly folder?: string; readonly isPublic?: boolean; readonly uploadedAfter?: string; readonly uploadedBefore?: string; readonly takenAfter?: string; readonly takenBefore?: string; readonly minDuration?: number; readonly maxDuration?: number; readonly minSize?: number; readonly maxSize?: number; readonly minTempo?: number; readonly maxTempo?: number; readonly key?: string; readonly within?: { readonly south: number; readonly west: number; readonly north: number; readonly east: number }; readonly sort?: "newest" | "oldest" | "largest" | "smallest" | "name"; readonly limit?: number; readonly offset?: number }

export interface SignedPart { readonly partNumber: number; readonly url: string; readonly size: number }

export interface StorageUsage { readonly usedBytes: number; readonly quotaBytes: number | null; readonly objectCount: number; readonly buckets: ReadonlyArray<{ readonly bucket: "private" | "public"; readonly bytes: number; readonly objects: number; readonly kinds: ReadonlyArray<{ readonly type: "Video" | "Audio" | "Image" | "Document" | "Text" | "Archive" | "Other"; readonly bytes: number; readonly objects: number }> }>; readonly trashedBytes: number; readonly pendingBytes: number }

export interface StoredPart { readonly partNumber: number; readonly size: number }

export interface UploadToken { readonly token: string }

export interface WaitingTask { readonly taskId: string; readonly contextId: string; readonly waitId: string; readonly kind: "request_files" | "review_note" | "file_opened" | "folder_files" | "image" | "import" | "archive"; readonly target: { readonly id: string; readonly name: string } | null; readonly text: string; readonly sinceTime: string; readonly untilTime: string; readonly credential: { readonly id: string; readonly name: string } }

/** What the operations of a user take and answer, by their ids. */
export interface DriveJson {
  abortMultipartUpload: { readonly request: UploadToken; readonly answer: { readonly aborted: boolean } }
  addToGallery: { readonly request: { readonly galleryId: string; readonly fileIds: ReadonlyArray<string>; readonly featuredIds?: ReadonlyArray<string> }; readonly answer: { readonly id: string; readonly title: string; readonly isPublic: boolean; readonly fileCount: number; readonly description: string | null; readonly featuredCount: number; readonly added: ReadonlyArray<string>; readonly skipped: ReadonlyArray<string> } }
  addToPlaylist: { readonly request: { readonly playlistId: string; readonly fileIds: ReadonlyArray<string> }; readonly answer: { readonly id: string; readonly title: string; readonly isPublic: boolean; readonly fileCount: number; readonly added: ReadonlyArray<string>; readonly skipped: ReadonlyArray<string> } }
  cancelAgentTask: { readonly request: { readonly taskId: string }; readonly answer: { readonly canceled: boolean } }
  cancelFileUrls: { readonly request: { readonly objectKey: string }; readonly answer: { readonly cancelled: boolean } }
  cancelGeneration: { readonly request: { readonly id: string }; readonly answer: { readonly cancelled: boolean } }
  completeMultipartUpload: { readonly request: UploadToken; readonly answer: { readonly bucket: "private" | "public"; readonly objectKey: string; readonly fileSize: number } }
  createApiToken: { readonly request: { readonly name: string; readonly permissions?: ReadonlyArray<"read" | "add" | "organize" | "share" | "delete" | "generate" | "agent"> | null; readonly folder?: string | null; readonly expireTime?: string | null }; readonly answer: { readonly id: string; readonly name: string; readonly permissions: ReadonlyArray<"read" | "add" | "organize" | "share" | "delete" | "generate" | "agent"> | null; readonly folder: string | null; readonly insertTime: string; readonly expireTime: string | null; readonly token: string } }
  createArchiveRequest: { readonly request: { readonly fileIds?: ReadonlyArray<string>; readonly galleryId?: string; readonly playlistId?: string; readonly title?: string }; readonly answer: { readonly id: string; readonly title: string; readonly fileCount: number; readonly bytes: number; readonly skipped: ReadonlyArray<{ readonly id: string; readonly reason: "not_found" | "trashed" | "bytes_missing" | "unreadable" }>; readonly status: "working" | "done" } }
  createFileRequest: { readonly request: { readonly title: string; readonly message?: string | null; readonly folder?: string; readonly folderId?: string; readonly expireTime?: string | null; readonly maxBytes?: number | null; readonly password?: string | null }; readonly answer: FileRequestSummary }
  createFileReview: { readonly request: { readonly fileId: string; readonly message?: string | null; readonly expireTime?: string | null; readonly allowDownload?: boolean; readonly password?: string | null }; readonly answer: { readonly id: string; readonly message: string | null; readonly insertTime: string; readonly expireTime: string | null; readonly allowDownload: boolean; readonly open: boolean; readonly hasPassword: boolean; readonly file: { readonly id: string; readonly type: "Video" | "Audio" | "Image" | "Document" | "Text" | "Archive" | "Other"; readonly fileName: string } } }
  createFolder: { readonly request: { readonly path: string }; readonly answer: Folder }
  createGallery: { readonly request: { readonly title: string; readonly description?: string | null; readonly fileIds?: ReadonlyArray<string>; readonly featuredIds?: ReadonlyArray<string>; readonly isPublic?: boolean }; readonly answer: { readonly id: string; readonly title: string; readonly isPublic: boolean; readonly fileCount: number; readonly description: string | null; readonly featuredCount: number; readonly added: ReadonlyArray<string>; readonly skipped: ReadonlyArray<string> } }
  createMultipartUpload: { readonly request: { readonly type: "Video" | "Audio" | "Image" | "Document" | "Text" | "Archive" | "Other"; readonly fileName: string; readonly fileSize: number; readonly objectKey: string; readonly mimeType?: string }; readonly answer: { readonly token: string; readonly uploadId: string; readonly resumed: boolean; readonly partSize: number; readonly partCount: number; readonly parts: ReadonlyArray<StoredPart>; readonly signedParts: ReadonlyArray<SignedPart>; readonly expiresAt: string; readonly downloadUrl: string | null; readonly fileName: string } }
  createPlaylist: { readonly request: { readonly title: string; readonly fileIds?: ReadonlyArray<string>; readonly isPublic?: boolean }; readonly answer: { readonly id: string; readonly title: string; readonly isPublic: boolean; readonly fileCount: number; readonly added: ReadonlyArray<string>; readonly skipped: ReadonlyArray<string> } }
  deleteArchive: { readonly request: { readonly id: string }; readonly answer: { readonly deleted: boolean } }
  deleteDrops: { readonly request: { readonly dropIds?: ReadonlyArray<string>; readonly requestId?: string; readonly senderName?: string }; readonly answer: { readonly deleted: number } }
  deleteFileRequest: { readonly request: { readonly requestId: string }; readonly answer: { readonly deleted: boolean } }
  deleteFileReview: { readonly request: { readonly reviewId: string }; readonly answer: { readonly deleted: boolean } }
  deleteFiles: { readonly request: ReadonlyArray<FileRef>; readonly answer: { readonly deleted: ReadonlyArray<string> } }
  deleteFolder: { readonly request: { readonly folderId: string; readonly files: "parent" | "trash" }; readonly answer: { readonly folders: number; readonly files: number } }
  deleteGallery: { readonly request: { readonly galleryId: string }; readonly answer: Acknowledgement }
  deletePlaylist: { readonly request: { readonly playlistId: string }; readonly answer: Acknowledgement }
  deleteReviewNote: { readonly request: { readonly noteId: string }; readonly answer: { readonly deleted: boolean } }
  deleteReviewNotes: { readonly request: { readonly reviewId: string; readonly reviewer: string }; readonly answer: { readonly deleted: number } }
  deleteTag: { readonly request: { readonly tagId: string }; readonly answer: Acknowledgement }
  exportReviewNotes: { readonly request: { readonly reviewId: string; readonly format: "csv" | "edl" | "fcpxml"; readonly rate?: string }; readonly answer: { readonly fileName: string; readonly mimeType: string; readonly text: string } }
  generateDownloadUrl: { readonly request: FileRef; readonly answer: FileRecord }
  generateFileUrls: { readonly request: { readonly type: "Video" | "Audio" | "Image" | "Document" | "Text" | "Archive" | "Other"; readonly fileName: string; readonly fileSize: number; readonly objectKey: string; readonly mimeType?: string }; readonly answer: { readonly uploadUrl: string; readonly uploadForm: Readonly<Record<string, string>>; readonly downloadUrl: string | null; readonly fileName: string } }
  generateImage: { readonly request: { readonly prompt: string; readonly model?: "gptImage2" | "nanoBanana" | "imagen4Fast" | "seedream4" | "flux2Pro" | "fluxKreaDev" | "nanoBananaPro"; readonly aspectRatio?: "1:1" | "3:2" | "2:3" | "16:9" | "9:16" | "4:3" | "3:4"; readonly quality?: "low" | "medium" | "high"; readonly folder?: string; readonly folderId?: string | null }; readonly answer: { readonly id: string; readonly model: "gptImage2" | "nanoBanana" | "imagen4Fast" | "seedream4" | "flux2Pro" | "fluxKreaDev" | "nanoBananaPro"; readonly aspectRatio: "1:1" | "3:2" | "2:3" | "16:9" | "9:16" | "4:3" | "3:4"; readonly quality: "low" | "medium" | "high" | null } }
  generateUploadForms: { readonly request: { readonly files: ReadonlyArray<{ readonly type: "Video" | "Audio" | "Image" | "Document" | "Text" | "Archive" | "Other"; readonly fileName: string; readonly fileSize: number; readonly objectKey: string; readonly mimeType?: string }> }; readonly answer: { readonly forms: ReadonlyArray<{ readonly uploadUrl: string; readonly uploadForm: Readonly<Record<string, string>>; readonly downloadUrl: string | null; readonly fileName: string } | { readonly failure: Failure }> } }
  getImageAllowance: { readonly request: undefined; readonly answer: { readonly plan: "basic" | "pro" | null; readonly used: number; readonly limit: number | null; readonly renewTime: string } }
  getUser: { readonly request: undefined; readonly answer: { readonly userId: string; readonly permissions: ReadonlyArray<"read" | "add" | "organize" | "share" | "delete" | "generate" | "agent"> | null; readonly folder: string | null } }
  getUserStorageUsage: { readonly request: undefined; readonly answer: StorageUsage }
  importFromUrl: { readonly request: { readonly url: string; readonly fileName?: string; readonly folder?: string; readonly folderId?: string | null; readonly description?: string }; readonly answer: { readonly id: string; readonly status: "working" } }
  insertFile: { readonly request: { readonly type: "Video" | "Audio" | "Image" | "Document" | "Text" | "Archive" | "Other"; readonly fileName: string; readonly fileSize: number; readonly objectKey: string; readonly mimeType?: string; readonly isPublic?: boolean; readonly creator?: { readonly id: string } }; readonly answer: { readonly id: string; readonly fileName: string } }
  insertFiles: { readonly request: { readonly files: ReadonlyArray<{ readonly type: "Video" | "Audio" | "Image" | "Document" | "Text" | "Archive" | "Other"; readonly fileName: string; readonly fileSize: number; readonly objectKey: string; readonly mimeType?: string; readonly isPublic?: boolean; readonly creator?: { readonly id: string } }> }; readonly answer: { readonly files: ReadonlyArray<{ readonly id: string; readonly fileName: string } | { readonly failure: Failure }> } }
  markDropsViewed: { readonly request: { readonly dropIds: ReadonlyArray<string> }; readonly answer: { readonly viewed: ReadonlyArray<string> } }
  moveFiles: { readonly request: { readonly fileIds?: ReadonlyArray<string>; readonly fromFolderId?: string; readonly folder?: string; readonly folderId?: string | null }; readonly answer: { readonly moved: ReadonlyArray<string>; readonly folder: { readonly id: string; readonly path: string } | null } }
  moveFolder: { readonly request: { readonly folderId: string; readonly parentId?: string | null; readonly folder?: string }; readonly answer: Folder }
  purgeTrashedFiles: { readonly request: undefined; readonly answer: Acknowledgement }
  readFile: { readonly request: { readonly fileId: string; readonly at?: number; readonly fromPage?: number; readonly toPage?: number; readonly offset?: number }; readonly answer: { readonly id: string; readonly fileName: string; readonly type: "Video" | "Audio" | "Image" | "Document" | "Text" | "Archive" | "Other"; readonly mimeType: string; readonly fileSize: number; readonly note: string; readonly image?: { readonly data: string; readonly mimeType: string }; readonly text?: string; readonly at?: number; readonly duration?: number; readonly pages?: { readonly from: number; readonly to: number; readonly total: number }; readonly nextOffset?: number } }
  removeFromGallery: { readonly request: { readonly galleryId: string; readonly fileIds: ReadonlyArray<string> }; readonly answer: { readonly id: string; readonly title: string; readonly isPublic: boolean; readonly fileCount: number; readonly description: string | null; readonly featuredCount: number; readonly removed: ReadonlyArray<string> } }
  removeFromPlaylist: { readonly request: { readonly playlistId: string; readonly fileIds: ReadonlyArray<string> }; readonly answer: { readonly id: string; readonly title: string; readonly isPublic: boolean; readonly fileCount: number; readonly removed: ReadonlyArray<string> } }
  renameFile: { readonly request: { readonly fileId: string; readonly fileName: string }; readonly answer: FileRecord }
  renameFolder: { readonly request: { readonly folderId: string; readonly name: string }; readonly answer: Folder }
  renameGallery: { readonly request: { readonly galleryId: string; readonly title: string }; readonly answer: { readonly id: string; readonly title: string; readonly isPublic: boolean; readonly fileCount: number; readonly description: string | null; readonly featuredCount: number } }
  renamePlaylist: { readonly request: { readonly playlistId: string; readonly title: string }; readonly answer: { readonly id: string; readonly title: string; readonly isPublic: boolean; readonly fileCount: number } }
  renameTag: { readonly request: { readonly tagId: string; readonly text: string }; readonly answer: { readonly id: string; readonly text: string; readonly fileCount: number } }
  reorderGallery: { readonly request: { readonly galleryId: string; readonly fileIds: ReadonlyArray<string>; readonly featuredIds?: ReadonlyArray<string> }; readonly answer: { readonly id: string; readonly title: string; readonly isPublic: boolean; readonly fileCount: number } }
  reorderPlaylist: { readonly request: { readonly playlistId: string; readonly fileIds: ReadonlyArray<string> }; readonly answer: { readonly id: string; readonly title: string; readonly isPublic: boolean; readonly fileCount: number } }
  replyToReviewNote: { readonly request: { readonly noteId: string; readonly text: string }; readonly answer: { readonly id: string; readonly author: { readonly name: string; readonly owner: boolean }; readonly text: string; readonly insertTime: string; readonly mine?: boolean } }
  restoreFiles: { readonly request: ReadonlyArray<FileRef>; readonly answer: { readonly restored: ReadonlyArray<string> } }
  revokeApiToken: { readonly request: { readonly id: string }; readonly answer: { readonly revoked: boolean } }
  searchFiles: { readonly request: SearchQuery; readonly answer: { readonly files: ReadonlyArray<FileRecord>; readonly nextOffset: number | null } }
  selectAgentTasks: { readonly request: { readonly limit?: number; readonly cursor?: string }; readonly answer: { readonly tasks: ReadonlyArray<AgentTask>; readonly nextCursor: string | null } }
  selectApiTokens: { readonly request: undefined; readonly answer: ReadonlyArray<{ readonly id: string; readonly name: string; readonly permissions: ReadonlyArray<"read" | "add" | "organize" | "share" | "delete" | "generate" | "agent"> | null; readonly folder: string | null; readonly insertTime: string; readonly expireTime: string | null; readonly lastUsedTime: string | null; readonly clientId: string | null }> }
  selectArchives: { readonly request: { readonly ids?: ReadonlyArray<string>; readonly limit?: number }; readonly answer: ReadonlyArray<Archive> }
  selectCollections: { readonly request: undefined; readonly answer: { readonly folders: ReadonlyArray<{ readonly id: string; readonly path: string; readonly fileCount: number }>; readonly playlists: ReadonlyArray<{ readonly id: string; readonly title: string; readonly isPublic: boolean; readonly fileCount: number; readonly coverId: string | null; readonly coverUrl: string | null }>; readonly galleries: ReadonlyArray<{ readonly id: string; readonly title: string; readonly isPublic: boolean; readonly fileCount: number; readonly description: string | null; readonly featuredCount: number }>; readonly tags: ReadonlyArray<{ readonly id: string; readonly text: string; readonly fileCount: number }> } }
  selectDriveEvents: { readonly request: { readonly since?: string; readonly kinds?: ReadonlyArray<"drop" | "note" | "view" | "file" | "generation">; readonly folder?: string; readonly requestId?: string; readonly reviewId?: string; readonly fileId?: string; readonly generationId?: string; readonly limit?: number }; readonly answer: { readonly events: ReadonlyArray<DriveEvent>; readonly nextCursor: string; readonly more: boolean } }
  selectFileRequests: { readonly request: { readonly requestIds?: ReadonlyArray<string>; readonly folder?: string; readonly cursor?: string }; readonly answer: { readonly requests: ReadonlyArray<FileRequest>; readonly nextCursor: string | null } }
  selectFileReviews: { readonly request: { readonly reviewIds?: ReadonlyArray<string>; readonly fileId?: string; readonly folder?: string; readonly cursor?: string }; readonly answer: { readonly reviews: ReadonlyArray<FileReview>; readonly nextCursor: string | null } }
  selectFileViews: { readonly request: { readonly fileIds?: ReadonlyArray<string>; readonly since?: string; readonly limit?: number; readonly folder?: string }; readonly answer: { readonly since: string; readonly files: ReadonlyArray<{ readonly id: string; readonly fileName: string; readonly isPublic: boolean; readonly views: number; readonly allViews: number; readonly lastViewTime: string | null; readonly viewers: ReadonlyArray<{ readonly handle: string | null; readonly displayName: string | null; readonly lastDay: string; readonly views: number }> }> } }
  selectGallery: { readonly request: { readonly galleryId: string; readonly limit?: number; readonly offset?: number }; readonly answer: { readonly id: string; readonly title: string; readonly isPublic: boolean; readonly fileCount: number; readonly description: string | null; readonly featuredCount: number; readonly files: ReadonlyArray<FileRecord>; readonly nextOffset: number | null; readonly featuredIds: ReadonlyArray<string> } }
  selectGenerationHistory: { readonly request: { readonly limit?: number; readonly cursor?: string }; readonly answer: { readonly generations: ReadonlyArray<Generation>; readonly nextCursor: string | null } }
  selectGenerations: { readonly request: { readonly ids: ReadonlyArray<string> }; readonly answer: { readonly generations: ReadonlyArray<Generation> } }
  selectImports: { readonly request: { readonly ids?: ReadonlyArray<string>; readonly limit?: number }; readonly answer: ReadonlyArray<Import> }
  selectPlaylist: { readonly request: { readonly playlistId: string; readonly limit?: number; readonly offset?: number }; readonly answer: { readonly id: string; readonly title: string; readonly isPublic: boolean; readonly fileCount: number; readonly coverId: string | null; readonly coverUrl: string | null; readonly files: ReadonlyArray<FileRecord>; readonly nextOffset: number | null } }
  selectSharedFiles: { readonly request: { readonly limit?: number; readonly cursor?: string }; readonly answer: { readonly files: ReadonlyArray<FileRecord>; readonly nextCursor: string | null } }
  selectShares: { readonly request: { readonly fileIds: ReadonlyArray<string> }; readonly answer: { readonly files: ReadonlyArray<{ readonly id: string; readonly users: ReadonlyArray<{ readonly userId: string; readonly handle: string | null; readonly displayName: string | null; readonly insertTime: string }> }> } }
  selectSimilarTracks: { readonly request: { readonly fileId: string; readonly limit?: number }; readonly answer: { readonly pending: boolean; readonly tracks: ReadonlyArray<{ readonly similarity: number; readonly file: FileRecord }> } }
  selectTrashedFiles: { readonly request: undefined; readonly answer: ReadonlyArray<FileRecord> }
  selectUserFiles: { readonly request: undefined; readonly answer: ReadonlyArray<FileRecord> }
  selectWaitingTasks: { readonly request: undefined; readonly answer: ReadonlyArray<WaitingTask> }
  setCover: { readonly request: { readonly imageId: string; readonly trackId?: string; readonly playlistId?: string }; readonly answer: { readonly trackId: string; readonly art: { readonly id: string; readonly downloadUrl: string | null } } | { readonly playlistId: string; readonly title: string; readonly isPublic: boolean } }
  setFileRequestOpen: { readonly request: { readonly requestId: string; readonly open: boolean }; readonly answer: { readonly id: string; readonly open: boolean; readonly closeTime: string | null; readonly expireTime: string | null } }
  setGalleryPublic: { readonly request: { readonly galleryId: string; readonly isPublic: boolean }; readonly answer: { readonly id: string; readonly title: string; readonly isPublic: boolean; readonly fileCount: number; readonly description: string | null; readonly featuredCount: number; readonly removed: ReadonlyArray<string> } }
  setPlaylistPublic: { readonly request: { readonly playlistId: string; readonly isPublic: boolean }; readonly answer: { readonly id: string; readonly title: string; readonly isPublic: boolean; readonly fileCount: number; readonly removed: ReadonlyArray<string> } }
  setReviewNoteResolved: { readonly request: { readonly noteId: string; readonly resolved: boolean }; readonly answer: ReviewNote }
  setVideoThumbnail: { readonly request: { readonly videoId: string; readonly timestampSeconds?: number; readonly imageId?: string }; readonly answer: { readonly success: boolean } }
  shareFiles: { readonly request: { readonly fileIds: ReadonlyArray<string>; readonly userIds?: ReadonlyArray<string>; readonly handles?: ReadonlyArray<string> }; readonly answer: { readonly shared: ReadonlyArray<string>; readonly skipped: ReadonlyArray<string>; readonly added: number } }
  signUploadParts: { readonly request: { readonly token: string; readonly partNumbers: ReadonlyArray<number> }; readonly answer: { readonly parts: ReadonlyArray<SignedPart>; readonly expiresAt: string } }
  startAgentTask: { readonly request: { readonly messageId: string; readonly text: string; readonly contextId?: string }; readonly answer: { readonly taskId: string; readonly contextId: string } }
  stopWaitingTask: { readonly request: { readonly taskId: string }; readonly answer: { readonly stopped: boolean } }
  tagFiles: { readonly request: { readonly fileIds: ReadonlyArray<string>; readonly tags: ReadonlyArray<string>; readonly action?: "add" | "remove" }; readonly answer: { readonly updated: ReadonlyArray<string>; readonly tags: ReadonlyArray<{ readonly id: string; readonly text: string }> } }
  toggleFileAccess: { readonly request: FileRef; readonly answer: FileRecord }
  trashFiles: { readonly request: ReadonlyArray<FileRef>; readonly answer: { readonly trashed: ReadonlyArray<string> } }
  unshareFiles: { readonly request: { readonly fileIds: ReadonlyArray<string>; readonly userIds: ReadonlyArray<string> }; readonly answer: { readonly unshared: ReadonlyArray<string>; readonly skipped: ReadonlyArray<string>; readonly removed: number } }
  updateFileDescription: { readonly request: { readonly fileId: string; readonly description: string }; readonly answer: Acknowledgement }
  updateFileRequest: { readonly request: { readonly requestId: string; readonly title?: string; readonly message?: string | null; readonly expireTime?: string | null; readonly maxBytes?: number | null; readonly password?: string | null }; readonly answer: FileRequestSummary }
  updateFileReview: { readonly request: { readonly reviewId: string; readonly message?: string | null; readonly expireTime?: string | null; readonly allowDownload?: boolean; readonly open?: boolean; readonly password?: string | null }; readonly answer: { readonly id: string; readonly message: string | null; readonly insertTime: string; readonly expireTime: string | null; readonly allowDownload: boolean; readonly open: boolean; readonly hasPassword: boolean; readonly file: { readonly id: string; readonly type: "Video" | "Audio" | "Image" | "Document" | "Text" | "Archive" | "Other"; readonly fileName: string } } }
  updateFileTags: { readonly request: { readonly fileIds: ReadonlyArray<string>; readonly tagId: string; readonly action: "add" | "remove" }; readonly answer: Acknowledgement }
  updateGalleryDescription: { readonly request: { readonly galleryId: string; readonly description: string }; readonly answer: { readonly id: string; readonly title: string; readonly isPublic: boolean; readonly fileCount: number; readonly description: string | null; readonly featuredCount: number } }
}

/** The same of operations that need no account but a link. */
export interface PublicJson {
  abortDropUpload: { readonly request: { readonly dropToken: string; readonly token: string }; readonly answer: { readonly aborted: boolean } }
  completeDropUpload: { readonly request: { readonly dropToken: string; readonly token: string }; readonly answer: { readonly bucket: "private"; readonly fileSize: number } }
  createDropUpload: { readonly request: { readonly dropToken: string; readonly type: "Video" | "Audio" | "Image" | "Document" | "Text" | "Archive" | "Other"; readonly fileName: string; readonly fileSize: number; readonly mimeType?: string; readonly clientKey: string }; readonly answer: { readonly token: string; readonly uploadId: string; readonly resumed: boolean; readonly partSize: number; readonly partCount: number; readonly parts: ReadonlyArray<StoredPart>; readonly signedParts: ReadonlyArray<SignedPart>; readonly expiresAt: string; readonly downloadUrl: string | null; readonly fileName: string } }
  deleteOwnReviewNote: { readonly request: { readonly noteId: string; readonly reviewerToken: string }; readonly answer: { readonly deleted: boolean } }
  dropFileUrls: { readonly request: { readonly dropToken: string; readonly type: "Video" | "Audio" | "Image" | "Document" | "Text" | "Archive" | "Other"; readonly fileName: string; readonly fileSize: number; readonly mimeType?: string; readonly clientKey: string }; readonly answer: { readonly uploadUrl: string; readonly uploadForm: Readonly<Record<string, string>>; readonly downloadUrl: string | null; readonly fileName: string } }
  editReviewNote: { readonly request: { readonly noteId: string; readonly reviewerToken: string; readonly text: string }; readonly answer: ReviewNote }
  finishDrop: { readonly request: { readonly dropToken: string }; readonly answer: { readonly finished: true } }
  insertDropFile: { readonly request: { readonly dropToken: string; readonly type: "Video" | "Audio" | "Image" | "Document" | "Text" | "Archive" | "Other"; readonly fileName: string; readonly fileSize: number; readonly mimeType?: string; readonly clientKey: string }; readonly answer: { readonly id: string; readonly fileName: string } }
  leaveReviewNote: { readonly request: { readonly reviewId: string; readonly reviewer: string; readonly seconds?: number | null; readonly endSeconds?: number | null; readonly text: string; readonly replyTo?: string | null; readonly reviewerToken?: string }; readonly answer: { readonly id: string; readonly seconds: number | null; readonly endSeconds: number | null; readonly timecode: string | null; readonly reviewer: { readonly name: string }; readonly text: string; readonly insertTime: string; readonly editTime: string | null; readonly resolved: boolean; readonly mine?: boolean; readonly replies: ReadonlyArray<{ readonly id: string; readonly author: { readonly name: string; readonly owner: boolean }; readonly text: string; readonly insertTime: string; readonly mine?: boolean }>; readonly replyTo: string | null; readonly reviewerToken: string } }
  openFileRequest: { readonly request: { readonly requestId: string; readonly password?: string }; readonly answer: { readonly id: string; readonly title: string; readonly message: string | null; readonly owner: { readonly displayName: string | null }; readonly takesFiles: boolean; readonly closedBecause: "closed" | "expired" | "full" | null; readonly expireTime: string | null; readonly remainingBytes: number | null; readonly accessToken?: string } }
  openFileReview: { readonly request: { readonly reviewId: string; readonly password?: string; readonly reviewerToken?: string }; readonly answer: { readonly id: string; readonly message: string | null; readonly allowDownload: boolean; readonly expireTime: string | null; readonly file: { readonly id: string; readonly type: "Video" | "Audio" | "Image" | "Document" | "Text" | "Archive" | "Other"; readonly fileName: string; readonly duration: number | null; readonly frameRate: number | null; readonly width: number | null; readonly height: number | null }; readonly stream: { readonly url: string; readonly mimeType: string; readonly expireTime: string } | null; readonly preview: { readonly status: "none" | "working" | "done" | "failed"; readonly progress: number; readonly error: string | null }; readonly peaksUrl: string | null; readonly downloadUrl: string | null; readonly notes: ReadonlyArray<ReviewNote>; readonly nextCursor: string | null; readonly followAfter: string; readonly accessToken?: string } }
  removeDropFile: { readonly request: { readonly dropToken: string; readonly fileId: string }; readonly answer: { readonly removed: boolean } }
  selectDrop: { readonly request: { readonly dropToken: string }; readonly answer: { readonly id: string; readonly senderName: string; readonly note: string | null; readonly files: ReadonlyArray<{ readonly id: string; readonly clientKey: string; readonly fileName: string; readonly fileSize: number }>; readonly uploads: ReadonlyArray<{ readonly clientKey: string; readonly fileName: string; readonly fileSize: number; readonly storedBytes: number }>; readonly finished: boolean } }
  selectReviewNotes: { readonly request: { readonly reviewId: string; readonly cursor?: string; readonly limit?: number; readonly reviewerToken?: string }; readonly answer: { readonly notes: ReadonlyArray<ReviewNote>; readonly nextCursor: string | null } }
  signDropParts: { readonly request: { readonly dropToken: string; readonly token: string; readonly partNumbers: ReadonlyArray<number> }; readonly answer: { readonly parts: ReadonlyArray<SignedPart>; readonly expiresAt: string } }
  startDrop: { readonly request: { readonly requestId: string; readonly senderName: string; readonly note?: string | null }; readonly answer: { readonly dropId: string; readonly dropToken: string; readonly expireTime: string } }
}

/** Operations that answer in pages: what an item is. */
export interface PagedItems {
  searchFiles: DriveJson["searchFiles"]["answer"]["files"][number]
  selectAgentTasks: DriveJson["selectAgentTasks"]["answer"]["tasks"][number]
  selectDriveEvents: DriveJson["selectDriveEvents"]["answer"]["events"][number]
  selectFileRequests: DriveJson["selectFileRequests"]["answer"]["requests"][number]
  selectFileReviews: DriveJson["selectFileReviews"]["answer"]["reviews"][number]
  selectGallery: DriveJson["selectGallery"]["answer"]["files"][number]
  selectGenerationHistory: DriveJson["selectGenerationHistory"]["answer"]["generations"][number]
  selectPlaylist: DriveJson["selectPlaylist"]["answer"]["files"][number]
  selectReviewNotes: PublicJson["selectReviewNotes"]["answer"]["notes"][number]
  selectSharedFiles: DriveJson["selectSharedFiles"]["answer"]["files"][number]
}

/** Every operation that is answered with JSON, by its id. A client has them, and `drive.as(userId)` in a host's own code. */
export interface DriveCalls {
  /**
   * Aborts an upload in parts: its parts are removed, and the bytes it reserved are released to the quota. `aborted`
   * is true when the upload is gone, by this call or before, and false when it is complete: then `/insert-file` makes
   * a file of it.
   */
  readonly abortMultipartUpload: (request: DriveJson["abortMultipartUpload"]["request"], options?: CallOptions) => Promise<DriveJson["abortMultipartUpload"]["answer"]>

  /**
   * Appends 1 to 500 images to a gallery of yours, in the order given; new ones in `featuredIds` are featured. It
   * accepts the same files as `/create-gallery`. Images that are in it already stay as they are, and are neither in
   * `added` nor in `skipped`.
   */
  readonly addToGallery: (request: DriveJson["addToGallery"]["request"], options?: CallOptions) => Promise<DriveJson["addToGallery"]["answer"]>

  /**
   * Appends 1 to 500 tracks and videos to a playlist of yours, in the order given. It accepts the same files as
   * `/create-playlist`. Files that are in it already keep their positions, and are neither in `added` nor in
   * `skipped`.
   */
  readonly addToPlaylist: (request: DriveJson["addToPlaylist"]["request"], options?: CallOptions) => Promise<DriveJson["addToPlaylist"]["answer"]>

  /**
   * Cancels a task of your account, by whichever token it was given. What it has done stays. `canceled` is false when
   * no task of yours with that id is unfinished. Its webhooks are told. The session must have no limits.
   */
  readonly cancelAgentTask: (request: DriveJson["cancelAgentTask"]["request"], options?: CallOptions) => Promise<DriveJson["cancelAgentTask"]["answer"]>

  /**
   * Cancels the open form of an `objectKey`, as it was given to `/generate-file-urls`. The bytes it reserved are
   * released to the quota at once; what was sent with it and is not inserted is removed, and what is still sent is
   * removed or refused. `cancelled` is false when no form of the key is open.
   */
  readonly cancelFileUrls: (request: DriveJson["cancelFileUrls"]["request"], options?: CallOptions) => Promise<DriveJson["cancelFileUrls"]["answer"]>

  /**
   * Ends a generation of yours that is `working`: it is failed from then on, and its image is given back to the
   * month's allowance. `cancelled` is false when none with this id exists, or it has ended. A limited token that may
   * not `delete` cancels the generations that it began itself; another's is 403 `token_limit`.
   */
  readonly cancelGeneration: (request: DriveJson["cancelGeneration"]["request"], options?: CallOptions) => Promise<DriveJson["cancelGeneration"]["answer"]>

  /**
   * Makes one object of the parts of an upload, once all of them are stored. Storage knows which these are: send no
   * ETags. Parts that are missing are 409 `parts_missing`, those of another size 409 `parts_invalid`; `parts` names
   * them: send these and call again. Then call `/insert-file`, without which there is no file. An upload that was
   * aborted is 404 `upload_not_found`. A call for an upload that is complete returns the same again.
   */
  readonly completeMultipartUpload: (request: DriveJson["completeMultipartUpload"]["request"], options?: CallOptions) => Promise<DriveJson["completeMultipartUpload"]["answer"]>

  /**
   * Makes an API token, which a program exchanges for sessions (`/exchange-token`). `permissions` says what the
   * sessions may do, `folder` (an id) names the one folder they see and touch, with all that is in it, and after
   * `expireTime` the token gives no more sessions. Each may be left out or null: then there is no such limit. The
   * answer shows `token`, the secret text, this once: the drive keeps only a hash of it. Limits under other names
   * (`scopes`, `folderId`, `expiresAt` and the like) are 400 naming the field, so that no token has more rights than
   * was meant. Needs a session without limits: for a limited one it is 403 `token_limit`.
   */
  readonly createApiToken: (request: DriveJson["createApiToken"]["request"], options?: CallOptions) => Promise<DriveJson["createApiToken"]["answer"]>

  /**
   * Builds a ZIP, in the background, of files you can see. Send one of `fileIds`, `galleryId` and `playlistId`.
   * `fileIds` keep the paths of your folders; the files of a gallery or playlist go in its order, without folders.
   * Files in trash and those you can't see are left out and named in `skipped`; when nothing is left it is 404. The
   * call answers at once, and `/select-archives` tells how far the archive is and gives its link. While an equal
   * archive is built or kept, the call returns that one, which may be `done`. Ten may be built at once (403
   * `not_allowed`). All that are kept may have 10 GiB together, or your quota if that is more: beyond it is 403
   * `archives_full`, whose sentence names the largest that your token may delete, by their ids. It takes a plan (403
   * `no_plan`).
   */
  readonly createArchiveRequest: (request: DriveJson["createArchiveRequest"]["request"], options?: CallOptions) => Promise<DriveJson["createArchiveRequest"]["answer"]>

  /**
   * Makes a file request: people without an account send files to you through its link, `{site_url}/requests/{id}`.
   * Whoever has the link may send, so its id is a secret. Arrivals land in `folder`, a path whose missing folders are
   * made, or in the folder `folderId`; with neither, in a folder at the top of the drive named for the request (a `/`
   * in the title becomes `-`). `folder.id` is null for the top of the drive. `maxBytes` bounds what all senders
   * together may send; without it, your storage does. After `expireTime`, which must be in the future, the request
   * takes no files. With a `password` (1 to 200 characters) nobody opens the link without it. An account has at most
   * 10,000 requests; one more is 403 `not_allowed`.
   */
  readonly createFileRequest: (request: DriveJson["createFileRequest"]["request"], options?: CallOptions) => Promise<DriveJson["createFileRequest"]["answer"]>

  /**
   * Makes a review of a video or a track of yours: at its link, `{site_url}/reviews/{id}`, people without an account
   * play the file and leave notes at positions in it. Whoever has the link may, so its id is a secret. `message` is
   * shown above the player. After `expireTime`, which must be in the future, the link opens nothing. `allowDownload`
   * adds a link to download the file. With a `password` (1 to 200 characters) nobody opens the link without it. An
   * account has at most 10,000 reviews; one more is 403 `not_allowed`.
   */
  readonly createFileReview: (request: DriveJson["createFileReview"]["request"], options?: CallOptions) => Promise<DriveJson["createFileReview"]["answer"]>

  /**
   * Makes the folder at a path like `/A/B`, with the folders above it that are missing. A folder that exists is
   * returned as it is; names that differ only in case are equal. A path begins with `/` and is at most 32 folders
   * deep, of names of 1 to 255 characters.
   */
  readonly createFolder: (request: DriveJson["createFolder"]["request"], options?: CallOptions) => Promise<DriveJson["createFolder"]["answer"]>

  /**
   * Makes a gallery of up to 500 images, in the order given; those of them in `featuredIds` are featured, that is,
   * shown first. Its title has 1 to 200 characters. A private one, the default, takes every image you can see (yours,
   * public, or shared with you), a public one only yours. Other files, and images in trash, are named in `skipped`.
   * To make a public one a limited token needs the permission `share` as well.
   */
  readonly createGallery: (request: DriveJson["createGallery"]["request"], options?: CallOptions) => Promise<DriveJson["createGallery"]["answer"]>

  /**
   * Begins the upload of a file in parts, or continues it: for files of up to 2 TB, and where a connection may break.
   * 1. Make this call, with the fields as for `/generate-file-urls`. The file has `partCount` parts of `partSize`
   * bytes, the last one the rest. 2. PUT the bytes of each part to its URL: part n begins at byte (n − 1) ×
   * `partSize` and has exactly `size` bytes. The URL is its own authorization; parts may be sent in any order and in
   * parallel. `signedParts` has URLs of the first 100 parts that are not stored, good until `expiresAt`;
   * `/sign-upload-parts` gives the others, and new ones. 3. Call `/complete-multipart-upload` with `token`. 4. Call
   * `/insert-file` with the same fields. To resume, make this call again with the same `objectKey` and `fileSize`:
   * `resumed` is true, `parts` are those stored already, and only the others are to be sent. For a file of another
   * size the parts that fit its plan are kept; when they don't fit, the upload begins again. `token` is valid for
   * seven days, and this call returns another. An open upload reserves the bytes of the largest file it was opened
   * for; it is aborted when no part arrived for seven days. An empty file has no parts: it is 400 naming `fileSize`;
   * use a form. Refusals as of `/generate-file-urls`.
   */
  readonly createMultipartUpload: (request: DriveJson["createMultipartUpload"]["request"], options?: CallOptions) => Promise<DriveJson["createMultipartUpload"]["answer"]>

  /**
   * Makes a playlist of up to 500 tracks and videos, in the order given. Its title has 1 to 200 characters. A private
   * one, the default, takes every such file you can see (yours, public, or shared with you), a public one only yours.
   * Other files, and those in trash, are named in `skipped`. To make a public one a limited token needs the
   * permission `share` as well.
   */
  readonly createPlaylist: (request: DriveJson["createPlaylist"]["request"], options?: CallOptions) => Promise<DriveJson["createPlaylist"]["answer"]>

  /**
   * Deletes an archive of yours, one that is being built too; the files in it stay. `deleted` is false when none with
   * this id exists, or no longer. A limited token that may not `delete` deletes the archives that it requested
   * itself; another's is 403 `token_limit`.
   */
  readonly deleteArchive: (request: DriveJson["deleteArchive"]["request"], options?: CallOptions) => Promise<DriveJson["deleteArchive"]["answer"]>

  /**
   * Deletes deliveries to your file requests for good and puts their files in trash, from which `/restore-files`
   * restores them: those of `dropIds` (1 to 500; ids that are not yours are left out), or all that people started at
   * the request `requestId` under the name `senderName`, those that have sent nothing yet too. What is under way in
   * them ends and its bytes are released. What the deliveries took of `maxBytes` is free again. `deleted` is how many
   * deliveries there were. What is started during the call stays.
   */
  readonly deleteDrops: (request: DriveJson["deleteDrops"]["request"], options?: CallOptions) => Promise<DriveJson["deleteDrops"]["answer"]>

  /**
   * Deletes a file request for good: its link leads nowhere from then on, and what senders have under way ends. The
   * files that were sent stay, and so does the folder. A request that is not yours, or is deleted, is 404.
   */
  readonly deleteFileRequest: (request: DriveJson["deleteFileRequest"]["request"], options?: CallOptions) => Promise<DriveJson["deleteFileRequest"]["answer"]>

  /**
   * Deletes a review with all its notes; its link leads nowhere from then on. The file stays.
   */
  readonly deleteFileReview: (request: DriveJson["deleteFileReview"]["request"], options?: CallOptions) => Promise<DriveJson["deleteFileReview"]["answer"]>

  /**
   * Deletes 1 to 100 files for good, in trash or not: they can't be restored. `deleted` are those of the files that
   * were yours; others are left out. To be able to restore them use `/trash-files`.
   */
  readonly deleteFiles: (request: DriveJson["deleteFiles"]["request"], options?: CallOptions) => Promise<DriveJson["deleteFiles"]["answer"]>

  /**
   * Deletes a folder and those inside it, with the API tokens that are limited to one of them. No file is deleted:
   * `files` says where they are moved: `parent` to the folder above, or `trash`, from which they are restored to the
   * folder above. With `trash` a limited token needs the permission `delete` as well. A folder that is deleted
   * already is 404.
   */
  readonly deleteFolder: (request: DriveJson["deleteFolder"]["request"], options?: CallOptions) => Promise<DriveJson["deleteFolder"]["answer"]>

  /**
   * Deletes a gallery; its images stay in the drive. One that is deleted already is 404.
   */
  readonly deleteGallery: (request: DriveJson["deleteGallery"]["request"], options?: CallOptions) => Promise<DriveJson["deleteGallery"]["answer"]>

  /**
   * Deletes a playlist; its files stay in the drive. One that is deleted already is 404.
   */
  readonly deletePlaylist: (request: DriveJson["deletePlaylist"]["request"], options?: CallOptions) => Promise<DriveJson["deletePlaylist"]["answer"]>

  /**
   * Deletes a note on a review of yours with its replies, or a single reply, whoever wrote it.
   */
  readonly deleteReviewNote: (request: DriveJson["deleteReviewNote"]["request"], options?: CallOptions) => Promise<DriveJson["deleteReviewNote"]["answer"]>

  /**
   * Deletes all that people left on a review of yours under one name: their notes with the replies to these, and
   * their replies to others. Your own replies to others' notes stay. `deleted` is how many notes and replies of that
   * name there were. What is left during the call stays.
   */
  readonly deleteReviewNotes: (request: DriveJson["deleteReviewNotes"]["request"], options?: CallOptions) => Promise<DriveJson["deleteReviewNotes"]["answer"]>

  /**
   * Removes a tag from all its files and deletes it; the files stay. One that is deleted already is 404. A token that
   * is limited to a folder may not delete a tag that is also on files outside it (403 `token_limit`), and one that no
   * file there has is 404.
   */
  readonly deleteTag: (request: DriveJson["deleteTag"]["request"], options?: CallOptions) => Promise<DriveJson["deleteTag"]["answer"]>

  /**
   * Returns a review's notes as a file: `csv` for spreadsheets (a row for each note and reply), `edl` (CMX 3600,
   * whose markers DaVinci Resolve imports) or `fcpxml` (markers for Final Cut Pro and Resolve). Frames are counted
   * from 0 at the file's own rate, or at `rate` (`25`, `24000/1001`); 29.97 has drop-frame timecode; a track has 30
   * frames a second. Where the rate of a video is not known, a `csv` has no frames, and `edl` and `fcpxml` are 503
   * while it is still being analysed (try again a few seconds later), afterwards 422 `rate_unknown`.
   */
  readonly exportReviewNotes: (request: DriveJson["exportReviewNotes"]["request"], options?: CallOptions) => Promise<DriveJson["exportReviewNotes"]["answer"]>

  /**
   * A file's record with a link to its bytes in `downloadUrl`: one that works for six hours, or the lasting one of a
   * public file. The file may be yours, shared with you, or public; any other is 403 `file_not_found`. Without a
   * session only public files can be opened, and any other is 400 naming `id`. Each link to somebody else's file is
   * counted as a view of it.
   */
  readonly generateDownloadUrl: (request: DriveJson["generateDownloadUrl"]["request"], options?: CallOptions) => Promise<DriveJson["generateDownloadUrl"]["answer"]>

  /**
   * Begins the upload of a file in one piece. 1. Make this call: `fileSize` is the exact number of bytes, `objectKey`
   * is your own name for the object, `users/{userId}/…` (`userId` as `/exchange-token` returns it), `mimeType` is
   * what the file is served as. 2. POST the file to `uploadUrl` as multipart/form-data: every field of `uploadForm`
   * first, with its name and value unchanged, and the bytes last, as the field `file`. The form is its own
   * authorization: send no session. Storage refuses it when the bytes are not exactly `fileSize` or a field differs.
   * 3. When storage has answered with a status of 2xx, call `/insert-file` with the same fields: only then the file
   * is in the drive. The form works for two days. It reserves `fileSize` bytes of the quota until the file is
   * inserted, the form is cancelled (`/cancel-file-urls`) or has expired; a new form for the same `objectKey`
   * replaces it. Past the quota is 400 `storage_limit_reached`, the key of a file 400 `object_key_taken`, more than
   * 1,000 open forms 403 `too_many_forms`, a user without a plan 403 `no_plan`. `downloadUrl` is null, since a file
   * begins private. A large file is better sent in parts (`/create-multipart-upload`); one too large for a form is
   * 400 naming `fileSize`.
   */
  readonly generateFileUrls: (request: DriveJson["generateFileUrls"]["request"], options?: CallOptions) => Promise<DriveJson["generateFileUrls"]["answer"]>

  /**
   * Generates an image from `prompt` and saves it privately to your drive. The call answers at once;
   * `/select-generations` tells when the image is done. `model` is gptImage2 by default. `aspectRatio` is 1:1 by
   * default; gptImage2 takes only 1:1, 3:2 and 2:3. `quality` is for gptImage2 alone: low by default on the basic
   * plan, medium on the pro plan. The image goes to the `folder` path, whose missing folders are made, or to
   * `folderId` (null: the top of the drive); with neither, to `/Generated images`, or to the folder that the token is
   * limited to. It is named for the prompt, and the prompt is its description. Each image is taken from the calendar
   * month's allowance, and given back when it fails or is cancelled. 403: `no_subscription` without a plan,
   * `pro_only` for nanoBananaPro, and for gptImage2 at medium or high, on the basic plan, `storage_full`,
   * `no_images_left`, and `not_allowed` with 100 images under way. 404: you have no folder `folderId`. 502
   * `generator_unavailable`: this model can't be asked now.
   */
  readonly generateImage: (request: DriveJson["generateImage"]["request"], options?: CallOptions) => Promise<DriveJson["generateImage"]["answer"]>

  /**
   * Begins the uploads of 1 to 100 files in one piece: the same as a call of `/generate-file-urls` for each of
   * `files`, in fewer requests. `forms` has one entry for each, in the same order: what that call answers, or its
   * `failure`, with the status and the body that the call would have had. A file that is refused refuses no other. A
   * body that is malformed is refused as a whole.
   */
  readonly generateUploadForms: (request: DriveJson["generateUploadForms"]["request"], options?: CallOptions) => Promise<DriveJson["generateUploadForms"]["answer"]>

  /**
   * How many images of this calendar month (UTC) are `used`, of how many: `limit`, which is null without a limit.
   * `renewTime` is the beginning of the next month. A limited token needs `generate` or `read`.
   */
  readonly getImageAllowance: (request?: DriveJson["getImageAllowance"]["request"], options?: CallOptions) => Promise<DriveJson["getImageAllowance"]["answer"]>

  /**
   * Whose drive the session is for, for a program that was given a session and did not exchange it itself: object
   * keys begin with `users/{userId}/`. `permissions` is what the session may do and `folder` the id of the one folder
   * that it sees; null: everything.
   */
  readonly getUser: (request?: DriveJson["getUser"]["request"], options?: CallOptions) => Promise<DriveJson["getUser"]["answer"]>

  /**
   * Returns how many bytes your files use, of how many (`quotaBytes`, null: no limit), by bucket and by kind. Files
   * in trash count, and are also counted in `trashedBytes`; covers, posters and thumbnails don't count.
   * `pendingBytes` are reserved by uploads, forms and imports that are not files yet.
   */
  readonly getUserStorageUsage: (request?: DriveJson["getUserStorageUsage"]["request"], options?: CallOptions) => Promise<DriveJson["getUserStorageUsage"]["answer"]>

  /**
   * Imports a file from an http or https link to a public address. The call answers at once with the import's `id`;
   * the drive then fetches the file, and `/select-imports` shows the progress. The file's name is `fileName`, else
   * the one that the server gives, else the last part of the link. Its kind is detected from its bytes. It goes to
   * the `folder` path, whose missing folders are made, or to `folderId` (null: the top of the drive); send one of the
   * two or neither. Each call begins another import.
   */
  readonly importFromUrl: (request: DriveJson["importFromUrl"]["request"], options?: CallOptions) => Promise<DriveJson["importFromUrl"]["answer"]>

  /**
   * Makes a file of stored bytes, the last step of every upload: after storage accepted the form of
   * `/generate-file-urls`, or after `/complete-multipart-upload`. Send the fields that began the upload. `objectKey`
   * says which bytes, and `fileSize` must be the size that is stored: another is 400 `size_mismatch`. While no bytes
   * are stored under the key it is 400 `object_not_found`. The drive detects the kind from the bytes: where it is
   * another one, that kind is recorded and not `type` and `mimeType`. `isPublic` changes nothing: a file begins
   * private, and `/toggle-file-access` makes it public. `creator.id`, when given, must be your own id. The metadata
   * of a track, video or image is extracted soon after (`metadataStatus` of the file's record). The call is safe to
   * repeat: the same key and size return the same `id`, and nothing is stored or charged twice.
   */
  readonly insertFile: (request: DriveJson["insertFile"]["request"], options?: CallOptions) => Promise<DriveJson["insertFile"]["answer"]>

  /**
   * Makes files of stored bytes: the same as a call of `/insert-file` for each of `files`, 1 to 100 of them, in fewer
   * requests. The answer has one entry for each, in the same order: the `id`, or the `failure` with the status and
   * the body that the call would have had. A file that is refused refuses no other. A body that is malformed is
   * refused as a whole. Safe to repeat.
   */
  readonly insertFiles: (request: DriveJson["insertFiles"]["request"], options?: CallOptions) => Promise<DriveJson["insertFiles"]["answer"]>

  /**
   * Notes that you have looked at deliveries (1 to 500): their `viewed` is true from then on. `viewed` of the answer
   * are those of the ids that are yours; when none is, it is 404. Opening one of a delivery's files, by a link or by
   * `/read-file`, does the same.
   */
  readonly markDropsViewed: (request: DriveJson["markDropsViewed"]["request"], options?: CallOptions) => Promise<DriveJson["markDropsViewed"]["answer"]>

  /**
   * Moves files to a folder. The files are `fileIds`, or with `fromFolderId` every file in that folder (those in
   * trash too, not those in folders inside it). The destination is the `folder` path, whose missing folders are made,
   * or `folderId`, null for the top of the drive. Send one of each two. `moved` are those of the files that are
   * yours; when none is, or the folder isn't, it is 404. Moving never changes who can see a file.
   */
  readonly moveFiles: (request: DriveJson["moveFiles"]["request"], options?: CallOptions) => Promise<DriveJson["moveFiles"]["answer"]>

  /**
   * Moves a folder, with everything in it, into another: the one of `parentId` (null for the top of the drive) or the
   * one at the `folder` path, whose missing folders are made. Send one of the two. A folder can't be moved into
   * itself, beside a folder of its name, or where something in it would be more than 32 folders deep. With more than
   * 500 folders inside, their paths follow as of `/rename-folder`.
   */
  readonly moveFolder: (request: DriveJson["moveFolder"]["request"], options?: CallOptions) => Promise<DriveJson["moveFolder"]["answer"]>

  /**
   * Deletes all files that are in trash, for good: they can't be restored. Takes no body. Their storage is free when
   * the call answers.
   */
  readonly purgeTrashedFiles: (request?: DriveJson["purgeTrashedFiles"]["request"], options?: CallOptions) => Promise<DriveJson["purgeTrashedFiles"]["answer"]>

  /**
   * Reads the content of a file you can open. An image is returned as a JPEG of at most 1,568 pixels a side; a video
   * as the frame at `at` seconds, else a tenth of the way in; a PDF as the text of up to 20 pages from `fromPage` to
   * `toPage` (ten by default), whole pages as far as they fit in 100 KB; a text as up to 100 KB from the byte
   * `offset`, to the end of a character. 100 KB is 102,400 bytes, of the file and of the UTF-8 returned alike. Tracks
   * and other files return a note alone; `note` always says what was read and how to continue. Fields that don't
   * belong to the file's kind are ignored. Reading somebody else's file is counted as a view of it. A file that can't
   * be decoded, or is too big for it, is 422 `unreadable`.
   */
  readonly readFile: (request: DriveJson["readFile"]["request"], options?: CallOptions) => Promise<DriveJson["readFile"]["answer"]>

  /**
   * Removes 1 to 500 images from a gallery; they stay in the drive. `removed` are those that were in it.
   */
  readonly removeFromGallery: (request: DriveJson["removeFromGallery"]["request"], options?: CallOptions) => Promise<DriveJson["removeFromGallery"]["answer"]>

  /**
   * Removes 1 to 500 files from a playlist; they stay in the drive. `removed` are those that were in it.
   */
  readonly removeFromPlaylist: (request: DriveJson["removeFromPlaylist"]["request"], options?: CallOptions) => Promise<DriveJson["removeFromPlaylist"]["answer"]>

  /**
   * Renames a file of yours to a name of 1 to 1,024 bytes of UTF-8 without control characters, and returns its
   * record. Other files may have the same name; its `objectKey` and links stay. A file that is not yours is 404.
   */
  readonly renameFile: (request: DriveJson["renameFile"]["request"], options?: CallOptions) => Promise<DriveJson["renameFile"]["answer"]>

  /**
   * Renames a folder, or changes the spelling of its name, where it is; everything in it stays in it. The name of
   * another folder beside it is 400 naming `name`. With more than 500 folders inside it, their paths follow a part at
   * a time until the call ends; until then each is reached by its former path and by the new one.
   */
  readonly renameFolder: (request: DriveJson["renameFolder"]["request"], options?: CallOptions) => Promise<DriveJson["renameFolder"]["answer"]>

  /**
   * Renames a gallery, to a title of 1 to 200 characters.
   */
  readonly renameGallery: (request: DriveJson["renameGallery"]["request"], options?: CallOptions) => Promise<DriveJson["renameGallery"]["answer"]>

  /**
   * Renames a playlist, to a title of 1 to 200 characters.
   */
  readonly renamePlaylist: (request: DriveJson["renamePlaylist"]["request"], options?: CallOptions) => Promise<DriveJson["renamePlaylist"]["answer"]>

  /**
   * Renames a tag, or changes its spelling; its files keep it. The text of another tag of yours is 400 naming `text`.
   * A token that is limited to a folder may not rename a tag that is also on files outside it (403 `token_limit`),
   * and one that no file there has is 404; when it takes the text of a tag outside it, that tag is put on its files
   * instead and is the answer.
   */
  readonly renameTag: (request: DriveJson["renameTag"]["request"], options?: CallOptions) => Promise<DriveJson["renameTag"]["answer"]>

  /**
   * Puts the named images of a gallery first, in that order. The other images follow in their former order; ids that
   * are not in it are ignored. With `featuredIds`, the named images in that list are featured and the other named
   * ones are not. Images that are not named stay as they are, and so do all without `featuredIds`.
   */
  readonly reorderGallery: (request: DriveJson["reorderGallery"]["request"], options?: CallOptions) => Promise<DriveJson["reorderGallery"]["answer"]>

  /**
   * Puts the named files of a playlist first, in that order. The other files follow in their former order; ids that
   * are not in it are ignored.
   */
  readonly reorderPlaylist: (request: DriveJson["reorderPlaylist"]["request"], options?: CallOptions) => Promise<DriveJson["reorderPlaylist"]["answer"]>

  /**
   * Answers a note on a review of yours, in your name. A reply to a reply is one to its note. People who have the
   * review open see it at once. A note takes 100 replies of yours.
   */
  readonly replyToReviewNote: (request: DriveJson["replyToReviewNote"]["request"], options?: CallOptions) => Promise<DriveJson["replyToReviewNote"]["answer"]>

  /**
   * Restores files from trash to their folders, tags, playlists and galleries; lasting links of public ones work
   * again. `restored` are those of the files that are yours, those that were not in trash too; others are left out.
   */
  readonly restoreFiles: (request: DriveJson["restoreFiles"]["request"], options?: CallOptions) => Promise<DriveJson["restoreFiles"]["answer"]>

  /**
   * Revokes one of your API tokens: every session that was opened for it ends at once, and no more can be opened. So
   * does all that an app was allowed, by its id in the list. A token that is revoked already is 404. Needs a session
   * without limits: for a limited one it is 403 `token_limit`.
   */
  readonly revokeApiToken: (request: DriveJson["revokeApiToken"]["request"], options?: CallOptions) => Promise<DriveJson["revokeApiToken"]["answer"]>

  /**
   * Finds your files outside trash that pass every filter given; without a body, all of them. Each word of `text`
   * must begin some word of the file's name, description, tags, title, artists, album or genre. A file must be of one
   * of `types` and carry all `tags`. `folder` is a path, and includes the folders inside it. `…After`, `min…` and
   * `max…` include their value, `…Before` does not. `taken…` is when a photo was taken or a video recorded, durations
   * are seconds, sizes bytes, tempos beats a minute, `key` is a musical key like `Am`. `within` is a box in degrees;
   * one with its `west` past its `east` crosses the antimeridian. To get the next page, pass `nextOffset` back as
   * `offset`, as it is: the next page begins where this page ends, although files arrive meanwhile.
   */
  readonly searchFiles: (request?: DriveJson["searchFiles"]["request"], options?: CallOptions) => Promise<DriveJson["searchFiles"]["answer"]>

  /**
   * Returns what the agent was asked to do on your account, by whichever token, newest first, with its reply and the
   * files that it made, changed or found. `text` is what it was asked first, cut after 10,000 characters. Follow
   * `nextCursor` for older ones. The session must have no limits.
   */
  readonly selectAgentTasks: (request?: DriveJson["selectAgentTasks"]["request"], options?: CallOptions) => Promise<DriveJson["selectAgentTasks"]["answer"]>

  /**
   * Your API tokens and the apps that you allowed something by OAuth (`name` is the app's, `clientId` its id, which
   * is null for API tokens, and `filedrive:owner` for what you yourself ask the agent by `/start-agent-task`), newest
   * first, without their secret texts. One that has expired is listed for 30 days more. `lastUsedTime` is when a
   * session was last opened for the token, or the app last used its own. Needs a session without limits: for a
   * limited one it is 403 `token_limit`.
   */
  readonly selectApiTokens: (request?: DriveJson["selectApiTokens"]["request"], options?: CallOptions) => Promise<DriveJson["selectApiTokens"]["answer"]>

  /**
   * Returns the state and progress of your archives: `receivedBytes` of `bytes`. One that is done has a
   * `downloadUrl`, which works for six hours (each call gives a new one), and is kept until `expireTime`. A failed
   * one says why in `error`. A file that could not be read on the way is left out and named in `skipped`. Ids that
   * are not yours are left out. Without `ids` the newest `limit` (default 20) are returned, newest first.
   */
  readonly selectArchives: (request?: DriveJson["selectArchives"]["request"], options?: CallOptions) => Promise<DriveJson["selectArchives"]["answer"]>

  /**
   * Returns all your folders by path, tags by text, and playlists and galleries, the newest first, with their ids and
   * how many files of each you can see: those in trash don't count, and a folder's count leaves out the folders
   * inside it. A token that is limited to a folder gets only what holds a file of that folder, and counts of those
   * files.
   */
  readonly selectCollections: (request?: DriveJson["selectCollections"]["request"], options?: CallOptions) => Promise<DriveJson["selectCollections"]["answer"]>

  /**
   * What happened on your drive, oldest first: `file` (a file came), `view` (somebody else opened one), `drop` (files
   * were sent to a file request), `note` (on a review), `generation` (an image was generated, or failed). `since` is
   * a `nextCursor` or an ISO 8601 time (default: 24 hours ago). Pass `nextCursor` back as `since` to see every event
   * exactly once. `more` says that there is more to read, also when a narrow filter has found nothing yet: continue
   * from `nextCursor`. `folder` refers to where things were when they happened. `fileId` is for views of it,
   * `requestId` for drops to it, `reviewId` for notes on it, `generationId` for what became of the generation with
   * this id.
   */
  readonly selectDriveEvents: (request?: DriveJson["selectDriveEvents"]["request"], options?: CallOptions) => Promise<DriveJson["selectDriveEvents"]["answer"]>

  /**
   * Lists your file requests, newest first, 50 in a page, with what was sent to them. For the next page pass
   * `nextCursor` back as `cursor`; it is null at the end. `requestIds` (1 to 50) names some; ids that are not yours
   * are left out. `folder` narrows to requests whose files land in the folder at this path or inside it, before the
   * 50 are counted. A request is `open` while it is not closed and not past its `expireTime`. `drops` are its
   * deliveries, newest first; a sender who sent nothing is not listed. `viewed` says whether you have looked at one.
   * Files in trash and deleted ones are neither listed nor counted in `receivedBytes`. `folder.id` is null for the
   * top of the drive, and while the folder is deleted: the next arrival makes it again. Of each request the newest
   * 200 deliveries are listed, and 5000 of one that is named alone; in all at most 20000 files, those of the newest
   * deliveries first. `receivedBytes` counts all.
   */
  readonly selectFileRequests: (request?: DriveJson["selectFileRequests"]["request"], options?: CallOptions) => Promise<DriveJson["selectFileRequests"]["answer"]>

  /**
   * Returns your reviews, newest first, 50 in a page: all of them, those named, those of a file, or those of files in
   * `folder` or inside it. For the next page pass `nextCursor` of the answer back as `cursor`; it is null at the end.
   * Each has its notes as an edit list: those on the whole file (`seconds` is null) first, then by position, then by
   * time, each with its replies. `timecode` is the position as people read it, like `1:05`; `frameRate` of the review
   * is that of its video, null while it is not known. One call lists 10,000 notes, of several reviews the same part
   * of that each; where there are more, `nextCursor` of the review is not null: pass it back as `cursor` with the id
   * of that review alone. `open` is false when the review is closed or has expired. A review stays when its file is
   * deleted, with what the file was called.
   */
  readonly selectFileReviews: (request?: DriveJson["selectFileReviews"]["request"], options?: CallOptions) => Promise<DriveJson["selectFileReviews"]["answer"]>

  /**
   * Returns how often your files were opened by anyone but you, the most opened first. With `fileIds` it returns the
   * files you name, opened or not; without, those outside trash that were opened since `since` (default: 30 days
   * ago). `views` counts since then, `allViews` from the beginning. Days are of UTC. People a file is shared with are
   * named in `viewers`, the last one first, unless they turned that off; everyone else is only counted.
   */
  readonly selectFileViews: (request?: DriveJson["selectFileViews"]["request"], options?: CallOptions) => Promise<DriveJson["selectFileViews"]["answer"]>

  /**
   * Returns a gallery and a page of its images, in order, without those in trash; `featuredIds` are the featured ones
   * of the page. A public one can be read by anyone, without a session too, and shows them the images that are public
   * or shared with them. `limit` is 1 to 200, by default 50; to get the next page, pass `nextOffset` back as
   * `offset`. A private one of somebody else's is 404.
   */
  readonly selectGallery: (request: DriveJson["selectGallery"]["request"], options?: CallOptions) => Promise<DriveJson["selectGallery"]["answer"]>

  /**
   * Your generations, newest first, as `/select-generations` shows them. `limit` is 50 by default. Pass `nextCursor`
   * back as `cursor` for the next page; null on the last page. Those that ended without an image, and those whose
   * image was deleted for good, are forgotten after 30 days. A limited token needs `generate` or `read`.
   */
  readonly selectGenerationHistory: (request?: DriveJson["selectGenerationHistory"]["request"], options?: CallOptions) => Promise<DriveJson["selectGenerationHistory"]["answer"]>

  /**
   * Returns the states of generations, by the `ids` that `/generate-image` returned, in the order asked: `working`,
   * `done` with the `image`, or `failed` with the reason in `error`, for people, and in `code`, for programs.
   * `trashed` is there, and true, when the image is in trash. A generation whose image was deleted for good is
   * failed, 15 minutes after it succeeded at the earliest. Ids that are not yours are left out. A limited token needs
   * `generate` or `read`.
   */
  readonly selectGenerations: (request: DriveJson["selectGenerations"]["request"], options?: CallOptions) => Promise<DriveJson["selectGenerations"]["answer"]>

  /**
   * Returns the states of imports, by the `ids` that `/import-from-url` returned, in the order asked; without `ids`
   * the newest `limit` (default 20) of all, newest first. `receivedBytes` of `totalBytes` have arrived; `totalBytes`
   * is null while it is not known. A failed one says why in `error`, for people, and in `code`, for programs. Ids
   * that are not yours and imports that ended more than 30 days ago are left out. A limited token needs `add` or
   * `read`.
   */
  readonly selectImports: (request?: DriveJson["selectImports"]["request"], options?: CallOptions) => Promise<DriveJson["selectImports"]["answer"]>

  /**
   * Returns a playlist and a page of its files, in order, without those in trash. A public one can be read by anyone,
   * without a session too, and shows them the files that are public or shared with them. `limit` is 1 to 200, by
   * default 50; to get the next page, pass `nextOffset` back as `offset`. A private one of somebody else's is 404.
   */
  readonly selectPlaylist: (request: DriveJson["selectPlaylist"]["request"], options?: CallOptions) => Promise<DriveJson["selectPlaylist"]["answer"]>

  /**
   * Returns other people's files that are shared with you, the last shared first; without their folders, tags and
   * keys. `limit` is 1 to 200, by default 50. To get the next page pass `nextCursor` back as `cursor`; it is null at
   * the end.
   */
  readonly selectSharedFiles: (request?: DriveJson["selectSharedFiles"]["request"], options?: CallOptions) => Promise<DriveJson["selectSharedFiles"]["answer"]>

  /**
   * Returns the users that files of yours are shared with, for each file the first shared first. Files that are not
   * yours are left out; when none is, it is 404.
   */
  readonly selectShares: (request: DriveJson["selectShares"]["request"], options?: CallOptions) => Promise<DriveJson["selectShares"]["answer"]>

  /**
   * Returns your other tracks with the same recording as a track you can open, found by their sound: other encodings,
   * bitrates and cuts of it. The best match comes first; `similarity` is 1 for the same sound, and near 0 for any two
   * tracks. While the drive has not analysed the track yet, `pending` is true and the list is empty: ask again later.
   */
  readonly selectSimilarTracks: (request: DriveJson["selectSimilarTracks"]["request"], options?: CallOptions) => Promise<DriveJson["selectSimilarTracks"]["answer"]>

  /**
   * Returns all your files in trash in one answer, the last trashed first. `trashTime` is when a file was put there;
   * no record has a link.
   */
  readonly selectTrashedFiles: (request?: DriveJson["selectTrashedFiles"]["request"], options?: CallOptions) => Promise<DriveJson["selectTrashedFiles"]["answer"]>

  /**
   * Returns all your files in one answer, newest first, without those in trash. The answer can be very long: read it
   * as a stream, or use `/search-files` for a page at a time. `downloadUrl` is null in the records of private files;
   * `/generate-download-url` gives links.
   */
  readonly selectUserFiles: (request?: DriveJson["selectUserFiles"]["request"], options?: CallOptions) => Promise<DriveJson["selectUserFiles"]["answer"]>

  /**
   * Returns the tasks of your account that wait for something to happen, whichever token began them, oldest first:
   * what each waits for, in words and by `kind` and `target`, and until when. The session must have no limits.
   */
  readonly selectWaitingTasks: (request?: DriveJson["selectWaitingTasks"]["request"], options?: CallOptions) => Promise<DriveJson["selectWaitingTasks"]["answer"]>

  /**
   * Makes one of your images, of up to 5 MB (of 1,024 × 1,024 bytes), the art of one of your tracks or playlists:
   * send `trackId` or `playlistId`. A track gets a JPEG of its own, which is as public as the track and does not
   * count as storage; the art it had is removed. A playlist is shown by the image itself: not while that is in trash,
   * and to others only while it is public. A larger image is 400 `image_too_large`.
   */
  readonly setCover: (request: DriveJson["setCover"]["request"], options?: CallOptions) => Promise<DriveJson["setCover"]["answer"]>

  /**
   * Closes a file request, or opens it again. A closed one takes no files: what senders have under way ends and its
   * bytes are released; files that are in stay, and deliveries can still be finished. One that is opened past its
   * `expireTime` still takes no files, so `open` is false: change the time with `/update-file-request`. Closing a
   * closed one keeps its `closeTime`.
   */
  readonly setFileRequestOpen: (request: DriveJson["setFileRequestOpen"]["request"], options?: CallOptions) => Promise<DriveJson["setFileRequestOpen"]["answer"]>

  /**
   * Makes a gallery public or private. One that becomes public loses the images that aren't yours; `removed` names
   * them. The images themselves stay as public or private as they are. To make one public a limited token needs the
   * permission `share` as well.
   */
  readonly setGalleryPublic: (request: DriveJson["setGalleryPublic"]["request"], options?: CallOptions) => Promise<DriveJson["setGalleryPublic"]["answer"]>

  /**
   * Makes a playlist public or private. One that becomes public loses the files that aren't yours; `removed` names
   * them. The files themselves stay as public or private as they are. To make one public a limited token needs the
   * permission `share` as well.
   */
  readonly setPlaylistPublic: (request: DriveJson["setPlaylistPublic"]["request"], options?: CallOptions) => Promise<DriveJson["setPlaylistPublic"]["answer"]>

  /**
   * Says that a note has been dealt with, or has not. Only notes can be; the id of a reply is 400 naming `noteId`.
   */
  readonly setReviewNoteResolved: (request: DriveJson["setReviewNoteResolved"]["request"], options?: CallOptions) => Promise<DriveJson["setReviewNoteResolved"]["answer"]>

  /**
   * Sets the poster that one of your videos is shown by: its frame at `timestampSeconds`, or one of your images
   * (`imageId`). Send one of the two. The poster it had is removed. A video of somebody else's that you can see is
   * 403 `not_owner`.
   */
  readonly setVideoThumbnail: (request: DriveJson["setVideoThumbnail"]["request"], options?: CallOptions) => Promise<DriveJson["setVideoThumbnail"]["answer"]>

  /**
   * Lets users see and download files of yours; they can't change them. `shared` are those of the files that are
   * yours, `skipped` the others, and `added` counts the pairs of a file and a user that are new. An id that is not a
   * user's, or is your own, is 400 naming `userIds[i]`, and then nothing is shared. `handles` names users by their
   * handles, beside `userIds` or instead of them; one that nobody has is 400 naming `handles[i]`. When none of the
   * files is yours it is 404. A file in trash stays shared but can't be opened until it is restored.
   */
  readonly shareFiles: (request: DriveJson["shareFiles"]["request"], options?: CallOptions) => Promise<DriveJson["shareFiles"]["answer"]>

  /**
   * Returns URLs for parts of an open upload: for those that `/create-multipart-upload` did not sign, or whose URLs
   * have expired. `token` is the upload's, `partNumbers` are 1 to 1,000 numbers, from 1 to its `partCount`. PUT
   * exactly `size` bytes to each `url`, until `expiresAt`, a day from now. An upload that has ended is 404
   * `upload_not_found`; a token that has lapsed or is not yours is 403.
   */
  readonly signUploadParts: (request: DriveJson["signUploadParts"]["request"], options?: CallOptions) => Promise<DriveJson["signUploadParts"]["answer"]>

  /**
   * Gives the agent a task in words, as yourself and without an API token. The answer comes at once;
   * `/select-agent-tasks` tells how the task goes. `messageId` is your own name of the message: the same one sent
   * again is the same task. A `contextId` of an earlier answer goes on with its conversation. The task may do all
   * that you may. Where 10,000 tasks of the account wait for their turn the answer is 503. Nothing does the task
   * while the drive runs without an agent. The session must have no limits.
   */
  readonly startAgentTask: (request: DriveJson["startAgentTask"]["request"], options?: CallOptions) => Promise<DriveJson["startAgentTask"]["answer"]>

  /**
   * Cancels a task of your account that waits for something. `stopped` is false when no task of yours with that id
   * waits. Its webhooks are told. The session must have no limits.
   */
  readonly stopWaitingTask: (request: DriveJson["stopWaitingTask"]["request"], options?: CallOptions) => Promise<DriveJson["stopWaitingTask"]["answer"]>

  /**
   * Adds 1 to 20 tags to 1 to 500 files (`action` `add`, the default) or removes them (`remove`). Adding makes the
   * tags that don't exist. Two spellings that differ only in case are one tag, kept as first written. A tag has 1 to
   * 100 characters; blanks at its ends are left out. A file has at most 100 tags: a call that would leave one with
   * more is 400 and changes nothing. `updated` are those of the files that are yours, `tags` those of the tags that
   * exist; a token limited to a folder does not get tags outside it. When none of the files is yours it is 404.
   */
  readonly tagFiles: (request: DriveJson["tagFiles"]["request"], options?: CallOptions) => Promise<DriveJson["tagFiles"]["answer"]>

  /**
   * Makes a private file of yours public, or a public one private, and returns its record. A public file can be
   * opened by anyone, by the lasting link in `downloadUrl`; once it is private again that link no longer works. A
   * file that is too large for storage to copy at once becomes public in the background: `accessMove` shows the
   * progress, and toggling again cancels it. Check `isPublic` in the answer. If an answer was lost, read the record
   * before you repeat the call: a second call undoes the first.
   */
  readonly toggleFileAccess: (request: DriveJson["toggleFileAccess"]["request"], options?: CallOptions) => Promise<DriveJson["toggleFileAccess"]["answer"]>

  /**
   * Puts 1 to 100 files in trash. There they still use storage, and only `/select-trashed-files` finds them, until
   * they are restored (`/restore-files`) or deleted; the lasting link of a public file answers 404 meanwhile.
   * `trashed` are those of the files that are yours, those that were in trash before too; others are left out.
   */
  readonly trashFiles: (request: DriveJson["trashFiles"]["request"], options?: CallOptions) => Promise<DriveJson["trashFiles"]["answer"]>

  /**
   * Ends the sharing of files with users, at once: they no longer see the files and get no new links, unless a file
   * is public. A link that was given out before works to its end, six hours at most. `unshared` are those of the
   * files that are yours, `skipped` the others, and `removed` counts the pairs of a file and a user that were
   * removed. When none of the files is yours it is 404.
   */
  readonly unshareFiles: (request: DriveJson["unshareFiles"]["request"], options?: CallOptions) => Promise<DriveJson["unshareFiles"]["answer"]>

  /**
   * Sets the description of a file of yours, up to 10,000 characters, which the search covers; an empty text clears
   * it. A file that is not yours is 404.
   */
  readonly updateFileDescription: (request: DriveJson["updateFileDescription"]["request"], options?: CallOptions) => Promise<DriveJson["updateFileDescription"]["answer"]>

  /**
   * Changes a file request; fields that are not sent stay as they are, and null takes away what may be null. Its
   * folder keeps its name when the title changes. `expireTime` must be in the future. Another `password`, or none,
   * ends the access of everybody who opened the link with the former one. A `maxBytes` below what was received makes
   * the request full.
   */
  readonly updateFileRequest: (request: DriveJson["updateFileRequest"]["request"], options?: CallOptions) => Promise<DriveJson["updateFileRequest"]["answer"]>

  /**
   * Changes a review; what is left out stays, and null takes the message, the time or the password away. `open:
   * false` closes it: its link answers 403 `review_closed`, and pages that have it open are put out, as they are by
   * another password. `open: true` opens it again, unless it has expired. The notes stay.
   */
  readonly updateFileReview: (request: DriveJson["updateFileReview"]["request"], options?: CallOptions) => Promise<DriveJson["updateFileReview"]["answer"]>

  /**
   * Adds one of your tags, by its id, to 1 to 500 files (`action` `add`) or removes it (`remove`). Files that are not
   * yours are left out. When the tag is not yours, or none of the files is, it is 404; for a token that is limited to
   * a folder, a tag that no file there has is none.
   */
  readonly updateFileTags: (request: DriveJson["updateFileTags"]["request"], options?: CallOptions) => Promise<DriveJson["updateFileTags"]["answer"]>

  /**
   * Sets a gallery's description, of up to 10,000 characters; an empty text clears it.
   */
  readonly updateGalleryDescription: (request: DriveJson["updateGalleryDescription"]["request"], options?: CallOptions) => Promise<DriveJson["updateGalleryDescription"]["answer"]>
}

/** Every operation that people without an account call through a link. `drive.public` of a host has them too. */
export interface PublicCalls {
  /**
   * Aborts an upload in parts: its parts are removed, and its bytes are free for others. `aborted` is true when the
   * upload is gone, and false when it is complete.
   */
  readonly abortDropUpload: (request: PublicJson["abortDropUpload"]["request"], options?: PublicCallOptions) => Promise<PublicJson["abortDropUpload"]["answer"]>

  /**
   * Makes one object of the parts of an upload, once all of them are stored; send no ETags. Missing parts are 409
   * `parts_missing`, those of another size 409 `parts_invalid`; `parts` names them. Then call `/insert-drop-file`. A
   * repeated call returns the same again.
   */
  readonly completeDropUpload: (request: PublicJson["completeDropUpload"]["request"], options?: PublicCallOptions) => Promise<PublicJson["completeDropUpload"]["answer"]>

  /**
   * Begins to send a file in parts, or continues it, as `/create-multipart-upload` does for the owner: for files of
   * up to 2 TB, and where a connection may break. PUT the bytes of each part to its URL, `/sign-drop-parts` gives
   * more URLs, then call `/complete-drop-upload` with `token` and `/insert-drop-file` with the same fields. To
   * continue after a reload make this call again with the same `clientKey` and `fileSize`: `parts` are stored
   * already, and only the others are to be sent. Refusals as of `/drop-file-urls`.
   */
  readonly createDropUpload: (request: PublicJson["createDropUpload"]["request"], options?: PublicCallOptions) => Promise<PublicJson["createDropUpload"]["answer"]>

  /**
   * Deletes a note with its replies, or a reply, that was left with this `reviewerToken`; of all others it is 404.
   */
  readonly deleteOwnReviewNote: (request: PublicJson["deleteOwnReviewNote"]["request"], options?: PublicCallOptions) => Promise<PublicJson["deleteOwnReviewNote"]["answer"]>

  /**
   * Begins to send a file in one piece, as `/generate-file-urls` does for the owner: POST it to `uploadUrl` with the
   * fields of `uploadForm`, then call `/insert-drop-file` with the same fields. `clientKey` is your own name of the
   * file in this delivery, 1 to 200 characters, like its name and size: the same again replaces the form. That of a
   * file that the delivery has already is 400 `object_key_taken`. A file for which the request has no room is 400
   * `request_full`, one for which the owner's drive has none 400 `storage_limit_reached`. A request that was closed,
   * deleted or has expired is 403 `request_closed`, a finished delivery 403 `not_allowed`, and more than 50 forms at
   * once, 500 of all senders of the request, or 2,000 files are 403 `too_many_forms`, as is more than half of the
   * bytes that the request may hold from one address. Without `maxBytes` a request holds at most half of what the
   * owner's drive has free.
   */
  readonly dropFileUrls: (request: PublicJson["dropFileUrls"]["request"], options?: PublicCallOptions) => Promise<PublicJson["dropFileUrls"]["answer"]>

  /**
   * Changes the text of a note or a reply that was left with this `reviewerToken`; of all others it is 404. The owner
   * gets no event.
   */
  readonly editReviewNote: (request: PublicJson["editReviewNote"]["request"], options?: PublicCallOptions) => Promise<PublicJson["editReviewNote"]["answer"]>

  /**
   * Finishes the delivery: its owner is told of it, unless nothing was sent, and it no longer accepts files. What was
   * begun and not handed over is removed. It works whatever has become of the request, and is safe to repeat. A
   * delivery that nothing happened in for a day is finished by the drive.
   */
  readonly finishDrop: (request: PublicJson["finishDrop"]["request"], options?: PublicCallOptions) => Promise<PublicJson["finishDrop"]["answer"]>

  /**
   * Hands over what was sent: a file in the folder of the request, the owner's from then on. Call it when storage has
   * answered the form with a status of 2xx, or after `/complete-drop-upload`, with the fields that began the upload.
   * Before the bytes are stored it is 400 `object_not_found`, and 400 `size_mismatch` when `fileSize` is not what is
   * stored. It is safe to repeat: the same `clientKey` and size return the same `id`. Once the request is closed,
   * deleted or has expired it is 403 `request_closed`, and what was sent is removed.
   */
  readonly insertDropFile: (request: PublicJson["insertDropFile"]["request"], options?: PublicCallOptions) => Promise<PublicJson["insertDropFile"]["answer"]>

  /**
   * Leaves a note at `seconds`, to `endSeconds` if it is about a span, or on the whole file with `seconds` null. With
   * `replyTo` it answers a note, and takes that note's position. `reviewerToken` in the answer is the key to edit and
   * delete it: keep it, and send it with further notes of the same person. The owner gets an event. A review holds
   * 20,000 notes and replies, half of them from one address; a note has at most 100 replies by reviewers.
   */
  readonly leaveReviewNote: (request: PublicJson["leaveReviewNote"]["request"], options?: PublicCallOptions) => Promise<PublicJson["leaveReviewNote"]["answer"]>

  /**
   * Shows a file request to somebody who has its link, without an account. `takesFiles` is false when its owner has
   * closed it, when it has expired, or when it is full (`closedBecause`). `remainingBytes` is what it still takes,
   * null when it has no limit of its own. A link with a password is 403 `password_needed` without it. With it the
   * answer has an `accessToken`, good for a day: send that in the header `X-Link-Access` of later calls. A link that
   * does not exist and a wrong password are the same 404; after ten wrong passwords within a minute the link answers
   * 429.
   */
  readonly openFileRequest: (request: PublicJson["openFileRequest"]["request"], options?: PublicCallOptions) => Promise<PublicJson["openFileRequest"]["answer"]>

  /**
   * Opens a review for somebody who has its link, without an account. `stream` is what a player opens, by ranges; its
   * link lapses at `expireTime`: open the review again for another. It is null while `preview` is being made (of a
   * file that browsers don't play; `progress` runs from 0 to 1), when that failed (`error` says why), and when the
   * file is in trash or was deleted. `peaksUrl` leads to JSON with the shape of the sound. `downloadUrl` is null
   * unless the owner allows downloads. `notes` are the first 100 in the order of the file; go on with
   * `/select-review-notes`, and follow what comes with `/follow-file-review` from `followAfter`. With
   * `reviewerToken`, notes say whether they are `mine`. A link with a password is 403 `password_needed` without it;
   * with it the answer has an `accessToken` for a day, to be sent as `X-Link-Access` in later calls. A closed or
   * expired review is 403 `review_closed`. Each opening counts as a view of the file, and the first of a viewer and
   * day is an event, unless the owner's session is sent with it.
   */
  readonly openFileReview: (request: PublicJson["openFileReview"]["request"], options?: PublicCallOptions) => Promise<PublicJson["openFileReview"]["answer"]>

  /**
   * Takes back a file of a delivery that is not finished: it is deleted for good, and its bytes are free for others.
   * `removed` is false when the delivery has no such file. In a finished delivery it is 403 `not_allowed`.
   */
  readonly removeDropFile: (request: PublicJson["removeDropFile"]["request"], options?: PublicCallOptions) => Promise<PublicJson["removeDropFile"]["answer"]>

  /**
   * Returns the delivery as its sender knows it, to continue it after a reload: `files` are those handed over, under
   * the names they were sent with, `uploads` those sent in parts that are not handed over yet, with the bytes that
   * are stored. Nothing of other senders is in it, nor what the owner has done with the files.
   */
  readonly selectDrop: (request: PublicJson["selectDrop"]["request"], options?: PublicCallOptions) => Promise<PublicJson["selectDrop"]["answer"]>

  /**
   * Returns the notes of a review in the order of the file, page by page: `limit` is 1 to 500, by default 100. For
   * the next page pass `nextCursor` back as `cursor`; it is null at the end. A page of long texts may be shorter.
   */
  readonly selectReviewNotes: (request: PublicJson["selectReviewNotes"]["request"], options?: PublicCallOptions) => Promise<PublicJson["selectReviewNotes"]["answer"]>

  /**
   * Returns URLs for parts of an open upload of the delivery, as `/sign-upload-parts` does for the owner: each takes
   * exactly `size` bytes by PUT, until `expiresAt`. `token` is the upload's, as `/create-drop-upload` returned it.
   */
  readonly signDropParts: (request: PublicJson["signDropParts"]["request"], options?: PublicCallOptions) => Promise<PublicJson["signDropParts"]["answer"]>

  /**
   * Begins a delivery of files to a file request, by somebody without an account. `dropToken` is the authorization of
   * all other calls of this delivery: keep it until it is finished, also over a reload, and show it to nobody. It
   * works until `expireTime`. `senderName` (1 to 100 characters) and `note` (up to 2,000) are what the owner sees. A
   * request that is closed or has expired is 403 `request_closed`. One with a password needs the header
   * `X-Link-Access` with the access token of `/open-file-request`; the calls with `dropToken` don't.
   */
  readonly startDrop: (request: PublicJson["startDrop"]["request"], options?: PublicCallOptions) => Promise<PublicJson["startDrop"]["answer"]>
}

export { type EventFilters, type FeedApi, type FollowedEvent, type FollowOptions } from "./api/Feed.ts"
export { type ImportApi, type ImportManyOptions } from "./api/Import.ts"
export { type MediaApi, type ReadOptions } from "./api/Media.ts"
export {
  type FileList,
  type FileLists,
  type FolderChoice,
  type NewFileList,
  type OrganizeApi,
  type ReducedFileList
} from "./api/Organize.ts"
export { type RemoteImportsApi } from "./api/RemoteImports.ts"
export { type SharesApi } from "./api/Shares.ts"
export { WrongOption } from "./checkOptions.ts"
export { createDrive, type Drive } from "./createDrive.ts"
export {
  type Account,
  type ConfiguredToken,
  type DriveAccounts,
  type DriveSessions,
  type DriveTokens,
  type NewAccount,
  type NewToken
} from "./DriveAccounts.ts"
export { type CallLimits, type DriveApi, type OpenedUpload, type SignedPart, type UserDrive } from "./DriveApi.ts"
export {
  type DriveOptions,
  type PostgresOptions,
  type RateLimitOptions,
  type S3StorageOptions
} from "./DriveOptions.ts"
export { type HostAccount, type HostAccounts } from "./HostAccounts.ts"
export { sendUnreadableBody } from "./http/Answer.ts"
export { type DriveServer, listen, type ListenOptions } from "./http/DriveServer.ts"
export { type HostRequest } from "./http/ParsedBody.ts"
export * as FileTypeKinds from "./media/FileTypeKinds.ts"
export { type MediaOptions } from "./media/MediaOptions.ts"
export * as NodeMediaTools from "./media/NodeMediaTools.ts"
export { type LogEntry, type LogOption, type TracingOptions } from "./Observability.ts"
export * as NodeRemoteFile from "./remote/NodeRemoteFile.ts"
export { serve, type ServeOptions } from "./serve.ts"
export { DiskRoutes } from "./storage/disk/DiskRoutes.ts"
export * as DiskStore from "./storage/disk/DiskStore.ts"
export * as S3Store from "./storage/s3/S3Store.ts"

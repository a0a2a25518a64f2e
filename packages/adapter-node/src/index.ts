export type { HostImages } from "@filedrive/images"
export type { MediaOptions } from "@filedrive/media"
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
export { DriveError } from "./DriveError.ts"
export {
  type DriveOptions,
  type ImageOptions,
  type PostgresOptions,
  type PostgresPoolOptions,
  type RateLimitOptions,
  type S3StorageOptions
} from "./DriveOptions.ts"
export { type FileSource } from "./FileSource.ts"
export {
  type FollowDriveEvents,
  type FollowDriveOptions,
  type FollowedEvent,
  type FollowEvents,
  type FollowOptions,
  type UserEvent
} from "./FollowEvents.ts"
export { type HostAccount, type HostAccounts } from "./HostAccounts.ts"
export { type HostTransaction, type JoinedOperations, type TransactionClient } from "./HostTransaction.ts"
export { sendUnreadableBody } from "./http/Answer.ts"
export { type DriveServer, listen, type ListenOptions } from "./http/DriveServer.ts"
export { type HostRequest } from "./http/ParsedBody.ts"
export { type OauthOptions, type SignInOptions } from "./oauth/OauthOptions.ts"
export { type LogEntry, type LogOption, type TracingOptions } from "./Observability.ts"
export {
  type FollowedNote,
  type FollowFileReview,
  type FollowReview,
  type FollowReviewOptions,
  type PublicCallOptions,
  type PublicDrive
} from "./PublicDrive.ts"
export * as NodeRemoteFile from "./remote/NodeRemoteFile.ts"
export * as NodeWebhookSender from "./remote/NodeWebhookSender.ts"
export * as ScryptPasswords from "./ScryptPasswords.ts"
export * as SealedSecrets from "./secrets/SealedSecrets.ts"
export { serve, type ServeOptions } from "./serve.ts"
export { DiskRoutes } from "./storage/disk/DiskRoutes.ts"
export * as DiskStore from "./storage/disk/DiskStore.ts"
export * as S3Store from "./storage/s3/S3Store.ts"
export { type CallLimits, type UserDrive, type UserOperations } from "./UserDrive.ts"
export {
  type FileRange,
  type ImportManyOptions,
  type OpenedFile,
  type PutOptions,
  type UserFiles
} from "./UserFiles.ts"

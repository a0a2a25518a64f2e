export {
  type Answer,
  type AnswerOf,
  type BodyOf,
  DriveCallFailed,
  DriveClient,
  type DriveClientOptions,
  type Fetch,
  type NewFile,
  type Route
} from "./DriveClient.ts"
export {
  DriveUser,
  type MemoryDrive,
  memoryDrive,
  type MemoryDriveOptions,
  type MemoryUser,
  testDatabase
} from "./MemoryDrive.ts"
export { Faults, type FaultyMethod, MemoryObjectStore } from "./MemoryObjectStore.ts"
export { MemoryRemoteFile, type RemoteContent, remoteFailed } from "./MemoryRemoteFile.ts"
export { MemoryWebhooks, type SentWebhook, webhookFailed } from "./MemoryWebhooks.ts"
export * as TestDatabase from "./TestDatabase.ts"
export {
  finished,
  type ImageCall,
  imageFailure,
  type ImageStep,
  pending,
  submitted,
  testImage,
  TestImageGenerator
} from "./TestImageGenerator.ts"
export { type MediaMethod, type TestMedia, TestMediaTools, testPicture } from "./TestMediaTools.ts"
export * as TestPasswordHasher from "./TestPasswordHasher.ts"
export * as TestSecretBox from "./TestSecretBox.ts"

/**
 * Every kind of job of the drive. Tests hold the list to what a whole drive handles, and the table "Jobs" of docs/design.md to
 * the list (`node scripts/jobsTable.ts` writes it).
 */
import { apiTokenSweepJob } from "./accounts/ApiTokens.ts"
import { sessionSweepJob } from "./accounts/Sessions.ts"
import { archiveBuildJob } from "./archives/ArchiveBuilds.ts"
import { archiveSweepJob } from "./archives/ArchiveEnds.ts"
import { bucketTransferJob } from "./files/BucketTransfers.ts"
import { lastingLinksJob } from "./files/LastingLinks.ts"
import { metadataJob } from "./files/MetadataJob.ts"
import { publicHeadersJob } from "./files/PublicHeaders.ts"
import { scrubJob, scrubTurnJob } from "./files/Scrub.ts"
import { importForgetJob, importJob } from "./imports/Imports.ts"
import type * as Job from "./jobs/Job.ts"
import { searchPagesJob } from "./library/Search.ts"
import { orphanSweepJob } from "./objects/OrphanSweep.ts"
import { objectRemovalJob } from "./objects/PendingDeletions.ts"
import { folderRelocationJob } from "./organize/FolderRelocations.ts"
import { folderDeletionJob } from "./organize/FolderTree.ts"
import { tagMergeJob, tagRenameJob } from "./organize/Tags.ts"
import { compactionJob } from "./search/Compaction.ts"
import { uploadSweepJob } from "./uploads/UploadSweep.ts"
import { viewSweepJob } from "./views/FileViews.ts"

export const driveJobs: ReadonlyArray<Job.Kind> = [
  objectRemovalJob,
  bucketTransferJob,
  lastingLinksJob,
  publicHeadersJob,
  metadataJob,
  archiveBuildJob,
  archiveSweepJob,
  importJob,
  importForgetJob,
  uploadSweepJob,
  orphanSweepJob,
  scrubJob,
  scrubTurnJob,
  sessionSweepJob,
  apiTokenSweepJob,
  folderRelocationJob,
  folderDeletionJob,
  compactionJob,
  tagRenameJob,
  tagMergeJob,
  searchPagesJob,
  viewSweepJob
]

/**
 * Every number the specification fixes, in one table, in the specification's
 * order. Names end in their unit; a range is `{ min, max, byDefault }`.
 *
 * Spec: "Limits". A change here is a contract change.
 */
import { Duration } from "effect"

const KiB = 1024
const MiB = 1024 * KiB
const GiB = 1024 * MiB
const TiB = 1024 * GiB

/** Largest file an account may store. Spec: Limits, "File size". */
export const fileSizeMaxBytes = 2 * TiB

/** An upload form stops working this long after issue. Spec: Limits, "Upload form lifetime". */
export const formLifetime = Duration.days(2)

/** Forms of one account that may be open at once (extension). */
export const openFormsMaxCount = 1_000

/** Uploads in parts of one account that may be open at once (extension). */
export const openUploadsMaxCount = 1_000

/** Files that one call may begin, or insert. Ours. */
export const filesPerUploadCall = { min: 1, max: 100 } as const

/** An upload token is good for this long after issue. Spec: Limits, "Multipart token lifetime". */
export const uploadTokenLifetime = Duration.days(7)

/** Size of every part but the last, unless {@link partsMaxCount} would be passed. */
export const partSizeBytes = 64 * MiB

/** Larger parts grow in steps of this, so that a part's size is always whole MiB. */
export const partSizeStepBytes = MiB

/** Most parts one upload may have; a larger file gets larger parts. */
export const partsMaxCount = 10_000

/** A signed part URL stops working this long after issue. */
export const partUrlLifetime = Duration.days(1)

/** URLs given with an opened upload: the first so many parts not yet stored. */
export const signedPartsAtOpenCount = 100

/** Parts that one `/sign-upload-parts` may name. */
export const partsPerSignCall = { min: 1, max: 1_000 } as const

/** An upload with no new part for this long is aborted. */
export const idleUploadLifetime = Duration.days(7)

/** A download link stops working this long after issue. */
export const downloadUrlLifetime = Duration.hours(6)

/** A session stops working this long after the exchange. */
export const sessionLifetime = Duration.seconds(86_400)

/** A session of a page that the drive serves (extension): the page asks for the next one while its person is signed in at the host. */
export const pageSessionLifetime = Duration.minutes(10)

/** While the disk of the database is full, a token with so many sessions gets a new one in the place of its oldest. */
export const sessionsOnFullDisk = 100

/** Files that one trash or delete call may name. */
export const filesPerTrashCall = { min: 1, max: 100 } as const

/** Files that one call may tag, move or add to a list. */
export const filesPerOrganizeCall = { min: 1, max: 500 } as const

/** Files a list may be made with. */
export const filesPerNewList = { max: 500 } as const

/** Files that one call may put in order. */
export const filesPerReorderCall = { min: 1, max: 10_000 } as const

/** Tags that one `/tag-files` may name. */
export const tagsPerCall = { min: 1, max: 20 } as const

/** Tags of one file (extension). */
export const tagsPerFile = 100

/** Page size of the files of a playlist or gallery (extension). */
export const listPage = { min: 1, max: 200, byDefault: 50 } as const

/** Largest request body that is read. Contract: "Errors". */
export const requestBodyMaxBytes = 4 * MiB

/** Longest file name, in UTF-8 bytes. Contract: "Files". */
export const fileNameMaxBytes = 1_024

/** Longest object key, in UTF-8 bytes. Contract: "Files". */
export const objectKeyMaxBytes = 1_024

/** Longest file description, in UTF-16 code units. */
export const descriptionMaxLength = 10_000

/** Longest media type, in UTF-16 code units. */
export const mimeTypeMaxLength = 255

/** Lengths of a user's handle and name, in UTF-16 code units. */
export const accountNames = { handle: { min: 1, max: 200 }, displayName: { max: 200 } } as const

/** Longest name of an API token, in UTF-16 code units. */
export const tokenNameLength = { min: 1, max: 200 } as const

/** API tokens of an account, with expired ones and the grants of apps (extension). */
export const tokensOfAccount = 10_000

/** Lives of what an app gets by OAuth. Contract: "MCP and OAuth". */
export const oauth = {
  codeLifetime: Duration.seconds(60),
  accessTokenLifetime: Duration.hours(1),
  /** From its issue: a grant that is not used for so long ends. */
  refreshTokenLifetime: Duration.days(30),
  /** For so long after its replacement a client may send a refresh token again, and gets the same answer. */
  refreshRepeatTime: Duration.seconds(30),
  /** Access tokens of one grant at a time; one more replaces the oldest. */
  accessTokensOfGrant: 20,
  /** Grants of one account at a time. */
  grantsOfAccount: 200,
  /** Codes of one account that are remembered, the newest of them: used ones, and pages that were answered. */
  codesOfAccount: 200,
  /** A registered client without a grant is forgotten after this long without use. */
  unusedClientLifetime: Duration.days(1),
  /** Registered clients without a grant, of everybody; one more replaces the one that was unused longest. */
  unusedClientsMaxCount: 10_000
} as const

/** Shortest text of an API token that a host chooses itself, in characters. Ours have 47. */
export const tokenTextMinLength = 32

/** Deepest folder. Spec: Limits, "Folder depth". */
export const folderMaxDepth = 32

/** Longest folder name, in UTF-16 code units. Contract: "Files". */
export const folderNameLength = { min: 1, max: 255 } as const

/** Longest tag, in UTF-16 code units, without blanks at its ends. */
export const tagTextLength = { min: 1, max: 100 } as const

/** Longest title of a playlist or gallery, in UTF-16 code units. */
export const listTitleLength = { min: 1, max: 200 } as const

/** Search page. Spec: Limits. */
export const searchPage = { min: 1, max: 200, byDefault: 50 } as const

/** Longest text to search for, in UTF-16 code units. Contract: "Search words". */
export const searchTextMaxLength = 1_000

/** Tags, and kinds, that one search may ask for (extension). */
export const searchListMaxCount = 1_000

/** Files that one call may share (extension). */
export const filesPerShareCall = { min: 1, max: 500 } as const

/** Users that one call may share files with (extension). */
export const usersPerShareCall = { min: 1, max: 100 } as const

/** Shares that one `/select-shares` lists of all its files together (extension). */
export const sharesPerCall = 20_000

/** Page size of `/select-shared-files` (extension). */
export const sharedFilesPage = { min: 1, max: 200, byDefault: 50 } as const

/** Files that one `/select-file-views` may name. Spec: Limits, "Files per call". */
export const filesPerViewsCall = { min: 1, max: 100 } as const

/** Page of `/select-file-views`. Spec: "Library". */
export const viewsPage = { min: 1, max: 100, byDefault: 25 } as const

/** Days that `/select-file-views` looks back unless told otherwise. Spec: "Library". */
export const viewsPeriodDays = 30

/** Viewers that are named of one file; the most recent ones. */
export const viewersPerFileMaxCount = 100

/** Page of `/select-drive-events`. Spec: Limits, "Drive events page". */
export const eventsPage = { min: 1, max: 100, byDefault: 50 } as const

/** How far `/select-drive-events` looks back unless told otherwise. Spec: "Library". */
export const eventsPeriod = Duration.hours(24)

/** A live stream of events says at least this often that it is alive. */
export const eventsHeartbeat = Duration.seconds(15)

/** Live streams of events that a process serves at once, and how often their sessions are checked. Contract: "Files". */
export const liveFeeds = {
  perAccount: 100,
  perSession: 20,
  sessionCheck: Duration.millis(500),
  checkValidity: Duration.seconds(1)
} as const

/** Imports of one account that may be under way at once (extension). */
export const importsAtOnce = 100

/** Imports that one `/select-imports` may name (extension). */
export const importsPerCall = { min: 1, max: 100 } as const

/** Longest URL to import from, in UTF-16 code units. */
export const importUrlMaxLength = 8_192

/** An import that is not done this long after it was asked for fails. */
export const importLifetime = Duration.days(7)

/** How long an import waits after each failure in a row before it tries again; after the last it has failed. */
export const importRetryDelays = [
  Duration.seconds(5),
  Duration.seconds(30),
  Duration.minutes(3),
  Duration.minutes(15)
] as const

/** What is known of an import is forgotten this long after its end. */
export const importRecordLifetime = Duration.days(30)

/** Files one archive may hold (extension): as many ids as the largest body has room for. */
export const filesPerArchive = { min: 1, max: 100_000 } as const

/** Largest archive, in bytes (extension). */
export const archiveMaxBytes = 2 * TiB

/** Longest title of an archive, in UTF-16 code units (extension). */
export const archiveTitleLength = { min: 1, max: 200 } as const

/** Archives of one account that may be under way at the same time (extension). */
export const archivesAtOnceMaxCount = 10

/** All kept archives of an account together may have so many bytes, or its quota if that is more. Contract: "Files". */
export const archivesKeptBytes = 10 * GiB

/** A file that could not be read so often in a row, although it is there, is left out of an archive (extension). */
export const archiveReadsMaxCount = 3

/** Archives that one `/select-archives` may name (extension). */
export const archivesPerCall = { min: 1, max: 100 } as const

/** An archive is kept this long after it is done. Contract: "Files". */
export const archiveLifetime = Duration.days(7)

/** Length of the name that a sender gives, in UTF-16 code units. Contract: "File requests and reviews: the public side". */
export const senderNameLength = { min: 1, max: 100 } as const

/** Longest note of a sender, in UTF-16 code units. Contract: "File requests and reviews: the public side". */
export const dropNoteMaxLength = 2_000

/** Length of a sender's own name of a file in a drop, in UTF-16 code units. */
export const clientKeyLength = { min: 1, max: 200 } as const

/** A drop's token is good for this long after the drop was started (extension). */
export const dropTokenLifetime = Duration.days(30)

/** A drop that nothing happened on for this long is finished by the drive. Contract: "File requests and reviews: the public side". */
export const idleDropLifetime = Duration.days(1)

/** Drops of one request that may be under way. At the limit the longest-idle empty drop is closed (extension). */
export const dropsUnderWayMaxCount = 1_000

/** The same of those that were started from one address: a fifth of all, so that it takes several to keep others out (extension). */
export const dropsUnderWayFromAddress = 200

/** Files of one drop (extension). */
export const filesPerDrop = 2_000

/** Forms, and as many uploads in parts, that may be open at once. They leave those of the account's own alone (extension). */
export const openPerDrop = 50
export const openPerRequest = 500

/** The same of the drops of one request that were started from one address: a fifth of all, and twice what one drop has (extension). */
export const openFromAddress = 100

/**
 * Bytes that senders may reserve before they send them: for a request without `maxBytes`, a share of the owner's free storage; for the drops
 * from one address, a share of the bytes that the request may reserve, or one file. Contract: "Requests and reviews".
 */
export const requestHolds = { ofFree: 1 / 2, ofAddress: 1 / 2 } as const

/** Lengths of a file request's title and message, in UTF-16 code units. Spec: Limits, "File request title / message". */
export const requestTitleLength = { min: 1, max: 200 } as const
export const requestMessageMaxLength = 2_000

/** File requests that an account has, open or not (extension). */
export const requestsOfAccount = 10_000

/** Requests that one `/select-file-requests` answers, and may name. Spec: Limits, "File request listing". */
export const requestsPerCall = { min: 1, max: 50 } as const

/** Drops that `/select-file-requests` lists: the newest of each request, more of one that is named alone (extension). */
export const dropsPerListing = { ofEach: 200, ofOne: 5_000 } as const

/** Files that one `/select-file-requests` lists, those of the newest drops first (extension). */
export const filesPerListing = 20_000

/** Drops that one `/mark-drops-viewed` or `/delete-drops` may name (extension). */
export const dropsPerCall = { min: 1, max: 500 } as const

/** Length of the password of a public link, in UTF-16 code units (extension). */
export const linkPasswordLength = { min: 1, max: 200 } as const

/** An access token of a public link is good for this long. Contract: "File requests and reviews: the public side". */
export const linkAccessLifetime = Duration.days(1)

/** Access tokens of one link; beyond that the oldest end (extension). */
export const accessesPerLink = 1_000

/** An archive that has made no progress for so long has failed (extension). */
export const archiveStallLifetime = Duration.days(7)

/** Largest side of an image that is read, in pixels. Spec: Limits, "Read: image". */
export const readImageMaxSide = 1_568

/** Pages of a PDF that one call reads. Spec: Limits, "Read: PDF". */
export const readPages = { max: 20, byDefault: 10 } as const

/** Text that one call reads, in bytes of the file and of UTF-8 alike. Spec: Limits, "Read: text" and "Read: PDF". */
export const readMaxBytes = 100 * KiB

/** Largest image that is made a cover. Spec: Limits, "Cover image". */
export const coverMaxBytes = 5 * MiB

/** Page of `/select-similar-tracks` (extension). */
export const similarTracks = { min: 1, max: 100, byDefault: 20 } as const

/** Longest message of a review, in UTF-16 code units. Spec: Limits, "Review message". */
export const reviewMessageMaxLength = 2_000

/** File reviews that an account has, open or not (extension). */
export const reviewsOfAccount = 10_000

/** Reviews that one `/select-file-reviews` may name, and those that it lists. Spec: Limits, "File review listing". */
export const reviewsPerCall = { min: 1, max: 50 } as const

/** Length of a reviewer's name and of a note, in UTF-16 code units. Contract: "File requests and reviews: the public side". */
export const reviewerNameLength = { min: 1, max: 100 } as const
export const reviewNoteLength = { min: 1, max: 4_000 } as const

/** Last position that a note may have, in seconds: just below 100 hours, which is as far as timecodes count. */
export const notePositionMaxSeconds = 359_999

/** Page of `/select-review-notes`. Contract: "File requests and reviews: the public side". */
export const reviewNotesPage = { min: 1, max: 500, byDefault: 100 } as const

/** A page of notes ends early when its texts have more than so many bytes (extension). */
export const reviewNotesPageBytes = 2 * MiB

/** Pages of notes that a process reads at once for people at links, the networks that ask for them in turn (extension). */
export const reviewPagesAtOnce = 2

/** Notes that one `/select-file-reviews` lists of all its reviews together, and the bytes of their texts (extension). */
export const listedNotes = { maxCount: 10_000, maxBytes: 16 * MiB } as const

/** What one review holds at most: notes and replies together, and the bytes of their texts (extension). */
export const reviewHolds = { notes: 20_000, textBytes: 32 * MiB } as const

/** The same for replies of the owner: strangers can't take the room for these (extension). */
export const reviewHoldsWithOwner = { notes: 22_000, textBytes: 40 * MiB } as const

/** The part of these that one address may fill: half, so that it keeps nobody else out. Contract: "Requests and reviews". */
export const reviewHoldsOfAddress = { notes: reviewHolds.notes / 2, textBytes: reviewHolds.textBytes / 2 } as const

/** Replies to one note: by reviewers, of these by one address, and by the owner (extension). */
export const repliesPerNote = { byReviewers: 100, fromAddress: 50, byOwner: 100 } as const

/** Live streams of notes that a process serves at once: of one review, and of one review to one address (extension). */
export const liveReviews = { perReview: 500, perAddress: 20 } as const

/** A deleted note is told to those who follow its review for so long (extension). */
export const deletedNoteLifetime = Duration.days(1)

/** Length of a prompt, in UTF-16 code units. Spec: Limits, "Prompt length". */
export const promptLength = { min: 1, max: 4_000 } as const

/** Generations that one `/select-generations` may name. Spec: Limits, "Generations per status call". */
export const generationsPerCall = { min: 1, max: 20 } as const

/** Page of `/select-generation-history`. Contract: "Image generation". */
export const generationsPage = { min: 1, max: 100, byDefault: 50 } as const

/** Generations of one account that may be under way at the same time (extension). */
export const generationsAtOnce = 100

/** Images that a plan generates a calendar month where the host sets no other number (extension). */
export const imagesPerMonth = { basic: 50, pro: 500 } as const

/** Largest image that a provider may give (extension). */
export const generatedImageMaxBytes = 64 * MiB

/** Longest that a provider may take to answer a request, and a look at a job (extension). */
export const imageSubmitTimeout = Duration.seconds(100)
export const imagePollTimeout = Duration.seconds(30)

/** A provider's job that is still waiting after this long has failed (extension). */
export const imageJobLifetime = Duration.minutes(10)

/**
 * A provider that fails is asked again (`asking`), or its job looked at again (`submitted`), for so long after the first call that failed
 * has begun: with the time limit of the last call it is over within 120 s. Contract: "Image generation".
 */
export const imageRetryPeriod = { asking: Duration.seconds(18), submitted: Duration.seconds(80) } as const

/** A generation that succeeded and has no image after this long has failed. Spec: Limits, "Failed generation timeout". */
export const unsavedImageLifetime = Duration.minutes(15)

/** A generation without an image is kept this long after it ended (extension). */
export const generationRecordLifetime = Duration.days(30)

/** Tasks of an account that wait for something at once. Spec: "Limits", agent. */
export const tasksWaiting = 20

/** How long a task waits. Spec: "Limits", agent. */
export const longestWait = Duration.days(30)

/** Webhooks of a task. Spec: "Limits", agent. */
export const webhooksPerTask = 5

/** When a failed delivery to a webhook is tried again, after the attempt before. Spec: "Task push notifications". */
export const webhookRetryDelays = [Duration.seconds(2), Duration.seconds(10)] as const

/** Page of `ListTasks`. Spec: "Limits", agent. */
export const tasksPage = { min: 1, max: 100, byDefault: 50 } as const

/** Tasks that a list counts; it says this number when there are more (extension). */
export const tasksCounted = 100_000

/** Tasks of an account that are at work at once; others wait for their turn (extension). */
export const tasksRunning = 4

/** Tasks of an account that are at work or wait for their turn; those that wait for something don't count (extension). */
export const tasksOpen = 10_000

/** Calls of the brain and of tools in a task (extension). */
export const taskSteps = 40

/** Names that a caller gives messages, conversations and webhooks, in UTF-16 code units (extension). */
export const taskNameLength = { min: 1, max: 256 } as const

/** What one message holds at most (extension): its parts, and its texts and data in UTF-16 code units of JSON. */
export const taskMessage = { parts: 50, textLength: 100_000 } as const

/** Messages of one task (extension). */
export const messagesPerTask = 200

/** What a brain is given of a conversation at most: earlier tasks, and characters of JSON in all (extension). */
export const transcript = { earlierTasks: 10, length: 400_000, resultLength: 60_000 } as const

/** The text of `/start-agent-task`, in UTF-16 code units (extension). */
export const agentTaskText = { min: 1, max: 10_000 } as const

/** Page of `/select-agent-tasks` (extension). */
export const agentTasksPage = { min: 1, max: 100, byDefault: 50 } as const

/** Entries of a list of archives or imports that names none (extension). */
export const newestByDefault = 20

/**
 * Answers whose length grows with an account (extension). `lists`: lists that are sent at a time, page by page. `making`: other long answers
 * that a process makes at a time; a call waits `patience` for its turn. `bytes`: answers that are made and not yet sent; an account that has
 * half of its own is made no other. Beyond that a call
 * is 429, with `retryAfterSeconds`. A reader that takes nothing for `stall` is disconnected.
 */
export const longAnswers = {
  lists: { perAccount: 4, perProcess: 64 },
  making: 2,
  patience: Duration.seconds(10),
  bytes: { perAccount: 64 * MiB, perProcess: 256 * MiB },
  retryAfterSeconds: 2,
  stall: Duration.seconds(60)
} as const

/** Longest list that is returned whole, to a host's own code or the agent, and by a tool of MCP; a longer one has to be read by pages (extension). */
export const wholeListMaxCount = { inCode: 10_000, ofTool: 1_000 } as const

/** Longest answer of a tool, in UTF-16 code units of JSON (extension). It is sent twice, as structure and as text. */
export const toolAnswerMaxLength = 2 * MiB

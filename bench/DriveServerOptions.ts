/** What the processes of a drive that is measured are told. */
interface Place {
  readonly dataDirectory: string
  /** PostgreSQL; the embedded database when left out. */
  readonly databaseUrl?: string
}

export interface FillingOptions extends Place {
  /** Files the account has from the start, by their records alone. */
  readonly files: number
}

export interface Filled {
  readonly userId: string
  /** One of the files, where there are any. */
  readonly fileId: string | null
}

export interface DriveServerOptions extends Place {
  /** The account that is made. */
  readonly userId: string
  /** Accounts in all; the others have ids of their own. One when left out. */
  readonly accounts?: number
  /** Keep files on an S3 engine rather than the disk. */
  readonly s3Endpoint?: string
}

/** An account of the drive, and a session of its user. */
export interface DriveAccount {
  readonly userId: string
  readonly session: string
  /** An API token, which the agent takes. */
  readonly token: string
}

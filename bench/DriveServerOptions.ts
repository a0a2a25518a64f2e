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
  /** Keep files on an S3 engine rather than the disk. */
  readonly s3Endpoint?: string
}

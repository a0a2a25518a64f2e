/** Begins to start the embedded database, which takes as long as loading the server: so both are done at the same time. */
if (!process.env["DATABASE_URL"]) await import("@filedrive/adapter-node/preload")

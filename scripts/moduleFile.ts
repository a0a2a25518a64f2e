/** What `__filename` means in a bundled library: the file that it is in, also where a host's bundler has made it CommonJS. */
const moduleFile: string = import.meta.filename ?? __filename

export { moduleFile as __filename }

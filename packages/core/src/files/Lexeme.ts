/**
 * What stands in `search_files.lexemes`: words, and facts that are looked up like words. One index holds them for
 * all accounts, so each begins with its account's number or is a number of its own. None can be taken for another.
 */
import type { FileType } from "../shared/FileType.ts"

/** A word of the file's texts, or a piece of one. */
export const word = (accountNo: number, text: string): string => `${accountNo}:${text}`

export const type = (accountNo: number, type: FileType): string => `${accountNo}!${type}`

/** Public files are few and private ones many, or the other way round: both are looked up. */
export const access = (accountNo: number, isPublic: boolean): string => `${accountNo}${isPublic ? "+" : "-"}`

export const tag = (tagNo: string): string => `#${tagNo}`

/** A folder that the file is in, or that one of its folders is inside. */
export const folder = (folderNo: string): string => `/${folderNo}`

/** As PostgreSQL reads one in a `tsvector` or a `tsquery`, whatever it holds. */
export const quoted = (lexeme: string): string => `'${lexeme.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`

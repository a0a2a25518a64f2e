export declare const madeServer: (root: string, cache: string) => string | undefined
